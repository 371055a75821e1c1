package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/state"
)

// finding makes one of a story.
func (d *Detector) finding(s *story) finding.Finding {
	f := finding.Finding{Class: finding.Slow, Place: s.at, Judged: s.judged, Onset: d.onset(s.members)}
	loaded := 0
	for _, c := range s.members {
		f.Members = append(f.Members, d.member(c))
		if d.loaded(c) {
			loaded++
		}
	}
	f.Kind = kindOf(s.at.Tier, 2*loaded > len(s.members))
	f.NatHours = d.amount(s.members)
	if len(s.members) > 1 {
		f.Elsewhere = d.elsewhere(s.at)
	}
	return f
}

func (d *Detector) member(c int) finding.Member {
	g := &d.grades[c]
	return finding.Member{
		Component: c, Role: finding.IsSlow, Odd: g.suspect, Windows: g.windows, Ratio: g.times, Worst: g.worst, Mean: math.Exp(g.slowness()),
		Own: g.own, Peers: g.peers, Load: g.load(), Since: g.onset.At,
	}
}

// amount is how slow times how long, over the members of a story. Of what many
// share only that counts which work cannot explain: they are not independent,
// and a burst that hits an array is no fault of it.
func (d *Detector) amount(members []int) float64 {
	if len(members) == 1 {
		return d.natHours(members[0], d.grades[members[0]].slowness())
	}
	sum := 0.0
	for _, c := range members {
		sum += d.natHours(c, max(d.grades[c].slowness()-math.Log(d.opts.BusyTimes), 0))
	}
	return sum
}

// kindOf tells what shares a cause from what is alone, and a component that is
// slow from one that has more to do than its peers (L13 §4.1). The drawers of
// an array cannot be told apart from outside: where many of its LUNs are slow,
// the array is blamed for one of them.
func kindOf(tier place.Tier, loaded bool) finding.Kind {
	switch tier {
	case place.Array, place.Drawer:
		return finding.DrawerError
	case place.Server, place.Controller, place.Slot, place.Model:
		return finding.SharedSlowness
	}
	switch {
	case loaded:
		return finding.WorkloadImbalance
	case tier == place.Drive:
		return finding.SlowDrive
	}
	return finding.SingleLUN
}

// elsewhere counts what is slow that does not hang on a place.
func (d *Detector) elsewhere(p place.Place) finding.Tally {
	var t finding.Tally
	for _, c := range d.facts.Watched {
		if g := &d.grades[c]; g.isJudged && !d.facts.Now[c].Idle() && !d.facts.Hangs(c, p) {
			t.Judged++
			if g.suspect {
				t.Odd++
			}
		}
	}
	return t
}

// note remembers in which other metrics components are suspect.
func (d *Detector) note(w *detect.Window) {
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		at, known := slices.BinarySearch(d.also[v.Component], w.Metric)
		switch {
		case v.Suspect && !known:
			d.also[v.Component] = slices.Insert(d.also[v.Component], at, w.Metric)
		case !v.Suspect && known && v.State != detect.Unjudged:
			d.also[v.Component] = slices.Delete(d.also[v.Component], at, at+1)
		}
	}
}

// Also lists the other metrics, by their places in a row, in which any of some
// components is suspect.
func (d *Detector) Also(members []finding.Member) []int {
	var list []int
	for i := range members {
		if members[i].Role != finding.TookOver {
			list = append(list, d.also[members[i].Component]...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// State writes or reads what is remembered of every component.
func (d *Detector) State(c *state.Codec, axes *place.Axes) {
	state.By(c, axes.Components, d.grades, func(c *state.Codec, g *grade) { g.state(c) })
	state.By(c, axes.Components, d.also, state.Ints[int])
}

func (g *grade) state(c *state.Codec) {
	state.Uint(c, &g.filter)
	state.Int(c, &g.windows)
	c.Float(&g.logTimes)
	c.Float(&g.logLoads)
	state.Int(c, &g.odd)
	c.Bool(&g.suspect)
	c.Float(&g.times)
	c.Float(&g.worst)
	c.Float(&g.own)
	c.Float(&g.peers)
	state.Int(c, &g.calm)
	state.Int(c, &g.normal)
	state.Int(c, &g.lastOdd)
	g.onset.State(c)
	c.Bool(&g.isJudged)
}
