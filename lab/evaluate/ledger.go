package evaluate

import (
	"math"
	"time"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// A ledger compares a diagnosis with the truth while the diagnosis runs. It is an engine.Listener.
type ledger struct {
	*moments
	truth   *simulate.Truth
	know    *knowledge
	persist []int
	shift   time.Duration // time between windows
	tracks  []*faultTrack // by fault
	levels  []level       // by persistence
	windows Confusion
	healthy int    // number of judged windows of healthy components
	seen    []bool // by component: it was judged, or its server was silent
	first   int64  // start of the first window
}

// level counts the alarms of one persistence. An alarm begins when an accumulator reaches the
// persistence, and ends when the accumulator is back at zero.
type level struct {
	up       []bool // by component: an alarm stands
	ever     []bool // by component: it had an alarm at any time
	alarms   int    // alarms of healthy components
	harmless int    // alarms that a harmless event of the truth explains
}

// newLedger returns an empty ledger. persist holds the values of an accumulator from which there is
// a verdict; each value is counted separately.
func newLedger(o *persistence.Options, persist []int, system *topology.System, truth *simulate.Truth) (*ledger, error) {
	n := len(system.Components)
	know, shows, err := newKnowledge(system, truth, memory(o))
	if err != nil {
		return nil, err
	}
	l := &ledger{
		truth: truth, know: know, persist: persist, seen: make([]bool, n), first: math.MaxInt64,
		shift: time.Duration(int64(o.WinShift)*o.StepSeconds) * time.Second,
	}
	l.moments = newMoments(n, l.take)
	for i, s := range shows {
		l.tracks = append(l.tracks, newFaultTrack(spanOf(&truth.Faults[i]), s, len(persist)))
	}
	for range persist {
		l.levels = append(l.levels, level{up: make([]bool, n), ever: make([]bool, n)})
	}
	return l, nil
}

// memory returns the number of seconds after a fault in which verdicts may still be caused by it:
// the window, its smoothing, and the earlier windows that the filter uses.
func memory(o *persistence.Options) int64 {
	return int64(o.WinSize+o.Smooth+(2*o.K-2)*o.WinShift) * o.StepSeconds
}

func (l *ledger) take(m *moment) {
	l.first = min(l.first, m.start)
	w := span{m.start, m.end}
	for c := range m.value {
		l.seen[c] = l.seen[c] || m.judged[c] || m.silent[c]
		s := l.know.state(c, w)
		if m.judged[c] {
			l.countWindow(s, m.suspect[c])
		}
		for i := range l.levels {
			if l.levels[i].rises(c, m.value[c], l.persist[i]) && s == healthy {
				l.levels[i].falseAlarm(l.know.isHarmless(c, w))
			}
		}
	}
	for _, f := range l.tracks {
		f.take(m, l.persist, l.know.memory)
	}
}

// countWindow counts a judged window.
func (l *ledger) countWindow(s state, suspect bool) {
	switch {
	case s == healthy:
		l.healthy++
		l.windows.add(false, suspect)
	case s == mustShow, s == mayShow && suspect:
		l.windows.add(true, suspect)
	}
}

// rises follows an accumulator, and reports whether an alarm begins.
func (l *level) rises(c, value, persist int) bool {
	switch {
	case value == 0:
		l.up[c] = false
	case value >= persist && !l.up[c]:
		l.up[c], l.ever[c] = true, true
		return true
	}
	return false
}

func (l *level) falseAlarm(harmless bool) {
	l.alarms++
	if harmless {
		l.harmless++
	}
}

// components counts, for a level, the components that had an incident and the components that
// should have had an incident. A component whose server sent nothing during its fault is not
// counted.
func (l *ledger) components(level int) Confusion {
	var out Confusion
	for c, seen := range l.seen {
		if !seen {
			continue
		}
		touched := l.know.faults[c]
		if len(touched) == 0 {
			out.add(false, l.levels[level].ever[c])
			continue
		}
		flagged, heard := l.flagged(c, level)
		if flagged || heard && mustHaveShown(touched) {
			out.add(true, flagged)
		}
	}
	return out
}

func (l *ledger) flagged(c, level int) (flagged, heard bool) {
	for _, f := range l.tracks {
		_, had := f.verdicts[level][c]
		flagged, heard = flagged || had, heard || f.heard[c]
	}
	return flagged, heard
}

func mustHaveShown(touched []touch) bool {
	for _, t := range touched {
		if t.expected {
			return true
		}
	}
	return false
}

// healthyDays returns how long healthy components were watched, in component-days.
func (l *ledger) healthyDays() float64 {
	return float64(l.healthy) * l.shift.Hours() / 24
}
