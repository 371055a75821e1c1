package window

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Condition is what a component does in a window.
type Condition uint8

// The conditions of a component.
const (
	Resting Condition = iota // it is there, without a request
	Serving
	Working // it serves its own server and nobody else
	Gone    // its server has data, and none of it
	Mute    // its server sent nothing
	Unknown // its server never had data of it
)

// Idle says whether a component is there, and no client's requests go by it.
func (c Condition) Idle() bool { return c == Resting || c == Working }

// There says whether its server has the component.
func (c Condition) There() bool { return c <= Working }

// Group is what a window says of a peer group.
type Group struct {
	Usual float64 // its latency, as detection found it; missing where that is not known
	Light float64 // the least so far: its latency when there is little to do; 0 where that is not known
	Heavy float64 // the most so far, likewise
	Often float64 // median of the steps in which the members with something to do have it; missing where none has
	Wait  float64 // median latency of the LUNs that it serves first, over all of their paths; missing where there are none
}

// Judged takes what detection says of a group. It has to come before the window
// ends.
func (f *Facts) Judged(w *persistence.Window) {
	if w.Metric != f.Lead {
		return
	}
	g := &f.Groups[w.Group]
	g.Usual = f.usual(w.Verdicts)
	if g.Usual > 0 && (g.Light == 0 || g.Usual < g.Light) {
		g.Light = g.Usual
	} else {
		g.Light *= f.opts.LightGrowth
	}
	if g.Usual > g.Heavy {
		g.Heavy = g.Usual
	} else {
		g.Heavy /= f.opts.LightGrowth
	}
}

// usual is the latency of a group: the median that its members were compared
// with, or of their own.
func (f *Facts) usual(verdicts []persistence.Verdict) float64 {
	f.scratch = f.scratch[:0]
	for i := range verdicts {
		v := &verdicts[i]
		if !table.IsMissing(v.Peers) {
			return v.Peers
		}
		if v.State != persistence.Unjudged && v.Median > 0 {
			f.scratch = append(f.scratch, v.Median)
		}
	}
	return quantile.Median(f.scratch)
}

// End puts the facts of the window that ends now together.
func (f *Facts) End() {
	f.Window.clear()
	for i := range f.shifts {
		f.Window.add(&f.shifts[i])
	}
	if !f.Sparse {
		for _, c := range f.Watched {
			f.Now[c] = f.condition(c)
		}
	}
	for g := range f.Groups {
		f.busy(g)
		f.often(g)
	}
	f.setWaits()
}

// Next begins a new shift in place of the oldest, after everybody has seen the
// window.
func (f *Facts) Next() {
	f.at = (f.at + 1) % len(f.shifts)
	f.shifts[f.at].clear()
	for g := range f.Groups {
		f.Groups[g].Usual = table.Missing
	}
}

func (f *Facts) condition(c int) Condition {
	switch {
	case !f.up(f.ServerOf[c]):
		return Mute
	case f.Window.Samples[c] == 0 && f.LastSeen[c] == 0:
		return Unknown
	case f.Window.Samples[c] == 0:
		return Gone
	case f.Window.Requests[c] > 0:
		return Serving
	}
	return Resting
}

// up says whether a server sent data in most of the window.
func (f *Facts) up(server int) bool {
	return server < 0 || 2*int(f.Window.heard[server]) > f.Window.Steps
}

// busy finds out whether there is work for everybody in a group. What was never
// used says nothing, and a server's own work little.
func (f *Facts) busy(g int) {
	busy, there := 0, 0
	for _, c := range f.System.Groups[g].Members {
		switch {
		case f.Now[c] == Serving && !f.LightWork(c):
			busy, there = busy+1, there+1
		case f.Now[c] == Serving, f.Now[c] == Resting && f.LastLoaded[c] > 0:
			there++
		}
	}
	f.Busy[g] = 2*busy > there
}

// often is in how many steps a member of a group has something to do, where it has
// anything.
func (f *Facts) often(g int) {
	var steps []float64
	for _, c := range f.System.Groups[g].Members {
		if f.Rate(c) > 0 {
			steps = append(steps, float64(f.Window.Loaded[c]))
		}
	}
	f.Groups[g].Often = quantile.Median(steps)
}

// setWaits finds what LUNs take over all of their paths, by the group of the first.
func (f *Facts) setWaits() {
	all := make([][]float64, len(f.Groups))
	for lun := range f.Paths {
		if wait := f.Wait(lun); wait > 0 {
			g := f.GroupOf(f.First(lun))
			all[g] = append(all[g], wait)
		}
	}
	for g := range f.Groups {
		f.Groups[g].Wait = quantile.Median(all[g])
	}
}

// Rate is the mean throughput of a component, in sectors a second.
func (f *Facts) Rate(c int) float64 {
	return f.Window.sectors[c] / (float64(f.StepSeconds) * float64(max(f.Window.Steps, 1)))
}

// LightWork says whether a component has so little to do that it may be its
// server's own work.
func (f *Facts) LightWork(c int) bool { return f.Light(f.Rate(c)) }

// Light says whether a throughput in sectors a second is so little.
func (f *Facts) Light(rate float64) bool { return rate < f.opts.LightSectorsPerSecond }

// Wait is the mean latency of a LUN's requests, whatever path they took; 0 where
// there were none.
func (f *Facts) Wait(lun int) float64 {
	if f.Window.asked[lun] == 0 {
		return 0
	}
	return f.Window.waited[lun] / f.Window.asked[lun]
}

// WindowSeconds is how long the window that ended last is.
func (f *Facts) WindowSeconds() int64 { return int64(f.Window.Steps) * f.StepSeconds }

// Served gives the path of a LUN that serves it, by its place among them; -1
// where none does.
func (f *Facts) Served(lun int) int {
	return slices.IndexFunc(f.Paths[lun], func(c int) bool { return f.Now[c] == Serving })
}
