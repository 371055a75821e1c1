package evaluate

import (
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// moment holds the verdicts of all windows that end at one time, by component, over all metrics.
type moment struct {
	start, end int64
	judged     []bool // judged in some metric
	suspect    []bool
	silent     []bool // its server sent nothing
	value      []int  // largest of its accumulators
}

// moments collects windows into moments. Windows arrive metric by metric, and after a gap a metric
// has several windows at once. So List, once an hour, passes the moments on in order of time.
type moments struct {
	components int
	values     map[[2]int]int // accumulators by metric and component (L13 §4.3)
	open       map[int64]*moment
	take       func(*moment)
}

func newMoments(components int, take func(*moment)) *moments {
	return &moments{components: components, values: map[[2]int]int{}, open: map[int64]*moment{}, take: take}
}

// Window adds the verdicts of a window to its moment.
func (m *moments) Window(w *persistence.Window) {
	at := m.open[w.End]
	if at == nil {
		at = newMoment(w, m.components)
		m.open[w.End] = at
	}
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		c := v.Component
		at.judged[c] = at.judged[c] || v.State != persistence.Unjudged
		at.suspect[c] = at.suspect[c] || v.Suspect
		at.silent[c] = at.silent[c] || v.Reason == persistence.ServerSilent
		at.value[c] = max(at.value[c], m.count(w.Metric, v))
	}
}

func newMoment(w *persistence.Window, n int) *moment {
	return &moment{
		start: w.Start, end: w.End,
		judged: make([]bool, n), suspect: make([]bool, n), silent: make([]bool, n), value: make([]int, n),
	}
}

// count changes the accumulator of a verdict, and returns its value.
func (m *moments) count(metric int, v *persistence.Verdict) int {
	key := [2]int{metric, v.Component}
	value := m.values[key]
	switch {
	case v.State == persistence.Unjudged:
	case v.Suspect:
		value++
		m.values[key] = value
	case value > 0:
		value--
		m.values[key] = value
	}
	return value
}

// Event does nothing: an event has no verdicts.
func (*moments) Event(*incident.Event) {}

// List passes on the moments of the hour.
func (m *moments) List(*engine.List) {
	for _, end := range slices.Sorted(maps.Keys(m.open)) {
		m.take(m.open[end])
	}
	clear(m.open)
}
