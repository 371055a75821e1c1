package survey

import (
	"fmt"
	"math"

	"github.com/limpet-storage/limpet/study"
)

// plugs asks how soon slow drives are unplugged, put back, and slow again (T16 §4.4.2, §4.4.3,
// Figure 11).
type plugs struct {
	*sheet
	bands    []band
	waits    int // counts by band: runs, and runs after which the drive is unplugged within delays[i]
	recurs   int // counts by band: drives put back, and drives slow again within delays[i]
	all      int // counts as in waits, for all slow runs
	allRecur int // counts as in recurs, for all slow drives
	out      int // counts of drives: unplugged, put back, put back within 2 h, within 10 h
}

// A band is a range of severity, by the largest slowdown of a run: from ≤ slowdown < to.
type band struct{ from, to float64 }

func (b band) String() string {
	if math.IsInf(b.to, 1) {
		return times(b.from) + " and more"
	}
	return fmt.Sprintf("%s to %s", short(b.from), times(b.to))
}

// severities returns the bands of T16.
func severities() []band {
	return []band{{study.Mild, study.Slow}, {study.Slow, 4}, {4, 8}, {8, 16}, {16, math.Inf(1)}}
}

// delays are the times at which waits are counted, in hours; the first are those of T16.
var delays = [...]float64{1, 2, 5, 10, 24, 48, 96, 168}

// withinDay is the offset of the count for a delay of 24 hours: the count of all comes first,
// then those of the delays.
const withinDay = 1 + 4

func newPlugs(s *sheet) *plugs {
	bands, n := severities(), 1+len(delays)
	return &plugs{
		s, bands, s.Sums.Block(n * len(bands)), s.Sums.Block(n * len(bands)),
		s.Sums.Block(n), s.Sums.Block(n), s.Sums.Block(4),
	}
}

func (p *plugs) Group(g *study.Group) {
	for i := range g.Members {
		m := &g.Members[i]
		p.runs(m)
		for k, e := range m.Events {
			if e.What == study.Unplugged {
				p.unplugged(m, study.HoursSinceEpoch(e.Time), m.Events[k+1:])
			}
		}
	}
}

// runs counts the wait of every run, from its first hour on. A mild run has slowdowns of at least
// study.Mild and below study.Slow in all its hours.
func (p *plugs) runs(m *study.Member) {
	for _, run := range study.Runs(study.SlowFrom(m.Slow, study.Mild)) {
		if study.Worst(run) < study.Slow {
			p.count(p.waits, wait(run, m.Events))
		}
	}
	for _, run := range study.Runs(study.SlowFrom(m.Slow, study.Slow)) {
		hours := wait(run, m.Events)
		p.count(p.all, hours)
		p.count(p.waits+p.band(study.Worst(run)), hours)
	}
}

// band returns the offset of the counts of a severity from the first count of all bands.
func (p *plugs) band(slowdown float64) int {
	for i, b := range p.bands {
		if slowdown < b.to {
			return i * (1 + len(delays))
		}
	}
	return 0
}

// count counts a wait.
func (p *plugs) count(at int, hours float64) {
	p.Sums.Add(at, 1)
	for i, most := range delays {
		p.Sums.Add(at+1+i, oneIf(hours <= most))
	}
}

// wait returns the hours from the start of a run until the drive is unplugged; +Inf if it is not.
func wait(run []study.SlowHour, events []study.Event) float64 {
	begin := float64(run[0].Hour)
	for _, e := range events {
		if e.What == study.Unplugged && study.HoursSinceEpoch(e.Time) >= begin {
			return study.HoursSinceEpoch(e.Time) - begin
		}
	}
	return math.Inf(1)
}

// unplugged counts an unplugged drive, and how soon it is put back. If the drive was slow in the
// day before, it also counts how soon the drive is slow again. If it was mildly slow, it counts
// how soon it is at least mildly slow again.
func (p *plugs) unplugged(m *study.Member, out float64, later []study.Event) {
	p.Sums.Add(p.out, 1)
	back := replugged(later)
	if math.IsInf(back, 1) {
		return
	}
	p.Sums.Add(p.out+1, 1)
	p.Sums.Add(p.out+2, oneIf(back-out <= 2))
	p.Sums.Add(p.out+3, oneIf(back-out <= 10))
	switch before := worstBetween(m.Slow, out-dayHours, out); {
	case before >= study.Slow:
		hours := recur(study.SlowFrom(m.Slow, study.Slow), back)
		p.count(p.allRecur, hours)
		p.count(p.recurs+p.band(before), hours)
	case before >= study.Mild:
		p.count(p.recurs, recur(study.SlowFrom(m.Slow, study.Mild), back))
	}
}

// worstBetween returns the largest slowdown of hours that begin between two times; 0: none.
func worstBetween(slow []study.SlowHour, begin, end float64) float64 {
	s := 0.0
	for _, h := range slow {
		if t := float64(h.Hour); t >= begin && t <= end {
			s = max(s, h.S)
		}
	}
	return s
}

// recur returns the hours from back until the next slow hour; +Inf if there is none.
func recur(slow []study.SlowHour, back float64) float64 {
	for _, h := range slow {
		if t := float64(h.Hour); t >= back {
			return t - back
		}
	}
	return math.Inf(1)
}

// replugged returns the time at which the drive is put back; +Inf if the next event unplugs it
// again or there is none.
func replugged(later []study.Event) float64 {
	for _, e := range later {
		switch e.What {
		case study.Replugged:
			return study.HoursSinceEpoch(e.Time)
		case study.Unplugged:
			return math.Inf(1)
		}
	}
	return math.Inf(1)
}

func (p *plugs) Report() {
	if p.Sums.Total(p.out) == 0 {
		return
	}
	p.Share("unplugged-slow", p.all+withinDay, p.all, "of the slow periods of %s began at most a day before the drive was unplugged")
	p.Share("unplugged-mild", p.waits+withinDay, p.waits, "of the slow periods of %s with a slowdown of 1.5 to 2× began at most a day before the drive was unplugged")
	p.Share("replugged", p.out+1, p.out, "of the unplugged %s are plugged in again")
	p.Share("replugged-2h", p.out+2, p.out+1, "of the %s that are plugged in again are back at most 2 hours after they were unplugged")
	p.Share("replugged-10h", p.out+3, p.out+1, "of the %s that are plugged in again are back at most 10 hours after they were unplugged")
	p.Share("recur", p.allRecur+withinDay, p.allRecur, "of the %s that were unplugged while slow, and plugged in again, are slow again within a day")
	p.delays("wait-hours", "Hours from the start of a slow period until the drive was unplugged", "T16 Figure 11a, 11b", "runs", p.waits)
	p.delays("recur-hours", "Hours from the time when a slow drive is plugged in again until its next slow hour", "T16 Figure 11c, 11d", "drives", p.recurs)
}

func (p *plugs) delays(name, title, source, what string, first int) {
	t := study.Table{Name: name, Title: title, Source: source, Columns: []string{"slowdown", what}}
	c := study.Chart{
		Name: name, Title: title, Source: source,
		X: study.Axis{Title: "hours", From: 1, To: 168, Log: true}, Y: study.Axis{Title: "share of " + what},
	}
	for _, h := range delays {
		t.Columns = append(t.Columns, "within "+short(h)+" h")
	}
	for i, b := range p.bands {
		at := first + i*(1+len(delays))
		values, curve := []study.Value{p.Total(at)}, study.Curve{Name: b.String()}
		for k, h := range delays {
			v := p.Ratio(at+1+k, at)
			values = append(values, v)
			if !v.None {
				curve.Add(h, v.Number)
			}
		}
		t.Add(b.String(), values...)
		c.Curves = append(c.Curves, curve)
	}
	p.Table(t)
	p.Chart(c)
}
