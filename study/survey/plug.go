package survey

import (
	"fmt"
	"math"

	"github.com/limpet-storage/limpet/study"
)

// plugs asks what is done about slow drives (T16 §4.4.2, §4.4.3, Figure 11):
// how soon they are unplugged, put back, and slow again.
type plugs struct {
	*sheet
	bands    []band
	waits    int // counts by band: runs, then those unplugged within so many hours
	recurs   int // counts by band: drives put back, then those slow again within so many hours
	all      int // counts of runs as in a band, of all that are slow
	allRecur int
	out      int // counts of drives unplugged, put back, within 2 h, within 10 h
}

// A band of severity, by the largest slowdown of a run.
type band struct{ from, to float64 }

func (b band) String() string {
	if math.IsInf(b.to, 1) {
		return times(b.from) + " and more"
	}
	return fmt.Sprintf("%s to %s", short(b.from), times(b.to))
}

// severities are T16's.
func severities() []band {
	return []band{{study.Mild, study.Slow}, {study.Slow, 4}, {4, 8}, {8, 16}, {16, math.Inf(1)}}
}

// delays are the hours that waits are counted at; the first are T16's.
var delays = [...]float64{1, 2, 5, 10, 24, 48, 96, 168}

// withinDay is the place of a day among the delays, after the count of all.
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

// runs counts the wait of every run from its first hour on. A mild run is one
// that never gets slow.
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

// band is where the counts of a severity begin, after the first of them all.
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
		p.Sums.Add(at+1+i, onePoint(hours <= most))
	}
}

// wait is the time from the begin of a run to the drive's being unplugged.
func wait(run []study.SlowHour, events []study.Event) float64 {
	begin := float64(run[0].Hour)
	for _, e := range events {
		if e.What == study.Unplugged && study.HoursSinceEpoch(e.Time) >= begin {
			return study.HoursSinceEpoch(e.Time) - begin
		}
	}
	return math.Inf(1)
}

// unplugged counts what becomes of an unplugged drive. Where it was slow in
// the day before, or mildly so, it is counted when it is so again.
func (p *plugs) unplugged(m *study.Member, out float64, later []study.Event) {
	p.Sums.Add(p.out, 1)
	back := replugged(later)
	if math.IsInf(back, 1) {
		return
	}
	p.Sums.Add(p.out+1, 1)
	p.Sums.Add(p.out+2, onePoint(back-out <= 2))
	p.Sums.Add(p.out+3, onePoint(back-out <= 10))
	switch before := worstBetween(m.Slow, out-dayHours, out); {
	case before >= study.Slow:
		hours := recur(study.SlowFrom(m.Slow, study.Slow), back)
		p.count(p.allRecur, hours)
		p.count(p.recurs+p.band(before), hours)
	case before >= study.Mild:
		p.count(p.recurs, recur(study.SlowFrom(m.Slow, study.Mild), back))
	}
}

// worstBetween is the largest slowdown of hours that begin between two times.
func worstBetween(slow []study.SlowHour, begin, end float64) float64 {
	s := 0.0
	for _, h := range slow {
		if t := float64(h.Hour); t >= begin && t <= end {
			s = max(s, h.S)
		}
	}
	return s
}

// recur is the time until the next slow hour.
func recur(slow []study.SlowHour, back float64) float64 {
	for _, h := range slow {
		if t := float64(h.Hour); t >= back {
			return t - back
		}
	}
	return math.Inf(1)
}

// replugged is when the drive is put back, before it is unplugged again.
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
	p.Share("unplugged-slow", p.all+withinDay, p.all, "of the slow periods of %s are followed by the drive being unplugged within a day")
	p.Share("unplugged-mild", p.waits+withinDay, p.waits, "of the mild slow periods of %s (1.5 to 2×) are followed by the drive being unplugged within a day")
	p.Share("replugged", p.out+1, p.out, "of the unplugged %s are plugged in again")
	p.Share("replugged-2h", p.out+2, p.out+1, "of the %s that are plugged in again are back within 2 hours")
	p.Share("replugged-10h", p.out+3, p.out+1, "of the %s that are plugged in again are back within 10 hours")
	p.Share("recur", p.allRecur+withinDay, p.allRecur, "of the %s that were unplugged while slow, and plugged in again, are slow again within a day")
	p.delays("wait-hours", "Hours from a slowdown until the drive was unplugged", "T16 Figure 11a, 11b", "runs", p.waits)
	p.delays("recur-hours", "Hours from the reinsertion of a slow drive until its next slow hour", "T16 Figure 11c, 11d", "drives", p.recurs)
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
