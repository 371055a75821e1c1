package window

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Condition describes how a component was used in a window.
type Condition uint8

// The conditions of a component.
const (
	Resting Condition = iota // it is present and has no requests
	Serving                  // it has requests
	Working                  // its server uses it for work of its own, and no client uses it
	Gone                     // its server sends data, but no data about the component
	Mute                     // its server sends no data, so nothing is known about the component
	Unknown                  // its server has never sent data about the component
)

// IsIdle reports whether a component is present and has no requests from clients.
func (c Condition) IsIdle() bool { return c == Resting || c == Working }

// IsPresent reports whether the component is present.
func (c Condition) IsPresent() bool { return c <= Working }

// Group has the facts about the latencies and the load of a peer group.
type Group struct {
	Usual float64 // usual latency in this window: the median latency of the peers, with which the members were compared; NaN if unknown
	Light float64 // smallest Usual so far, which is taken as the latency under light load; 0 if unknown; old values are slowly forgotten (Facts.growth)
	Heavy float64 // greatest Usual so far; 0 if unknown; old values are slowly forgotten (Facts.growth)
	Often float64 // median number of steps with load, over the members that had load; NaN if no member had load
	Wait  float64 // median latency of the LUNs whose first path is a member of the group; the latency of a LUN is the mean over all its paths; NaN if there are no such LUNs
}

// TakeVerdicts updates Usual, Light and Heavy of a group from the verdicts about its members in a
// window. It uses only the verdicts about the leading metric, which is the metric that measures
// slowness. Call it before [Facts.End].
func (f *Facts) TakeVerdicts(w *persistence.Window) {
	if w.Metric != f.Lead {
		return
	}
	g := &f.Groups[w.Group]
	g.Usual = f.usualLatency(w.Verdicts)
	if g.Usual > 0 && (g.Light == 0 || g.Usual < g.Light) {
		g.Light = g.Usual
	} else {
		g.Light *= f.growth
	}
	if g.Usual > g.Heavy {
		g.Heavy = g.Usual
	} else {
		g.Heavy /= f.growth
	}
}

// usualLatency returns the usual latency of a group: the median latency of the peers, with which
// the members were compared. If there is no such median, usualLatency returns the median of the
// members' own median latencies.
func (f *Facts) usualLatency(verdicts []persistence.Verdict) float64 {
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

// End computes the facts of the window that ends now.
func (f *Facts) End() {
	f.Window.clear()
	for i := range f.shifts {
		f.Window.add(&f.shifts[i])
	}
	if !f.Sparse {
		for _, c := range f.Attachments {
			f.Conditions[c] = f.condition(c)
		}
	}
	for g := range f.Groups {
		f.setBusy(g)
		f.setOften(g)
	}
	f.setWaits()
}

// NextShift starts a new shift in place of the oldest shift. A shift is the time from the start of
// one window to the start of the next. Call NextShift after all detectors have used the window.
func (f *Facts) NextShift() {
	f.shiftIndex = (f.shiftIndex + 1) % len(f.shifts)
	f.shifts[f.shiftIndex].clear()
	for g := range f.Groups {
		f.Groups[g].Usual = table.Missing
	}
}

func (f *Facts) condition(c int) Condition {
	switch {
	case !f.sentData(f.ServerOf[c]):
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

// sentData reports whether a server sent data for more than half of the rows of the window. A
// component without a server has the server −1, for which sentData returns true.
func (f *Facts) sentData(server int) bool {
	return server < 0 || 2*int(f.Window.heard[server]) > f.Window.Steps
}

// setBusy sets Busy of a group: whether more than half of its members have load. Members that were
// never used do not count. Members with light work (HasLightWork) count as members without load.
func (f *Facts) setBusy(g int) {
	busy, there := 0, 0
	for _, c := range f.System.Groups[g].Members {
		switch {
		case f.Conditions[c] == Serving && !f.HasLightWork(c):
			busy, there = busy+1, there+1
		case f.Conditions[c] == Serving, f.Conditions[c] == Resting && f.LastLoaded[c] > 0:
			there++
		}
	}
	f.Busy[g] = 2*busy > there
}

// setOften sets the field Often of a group: the median number of steps with load, over the members
// that had load.
func (f *Facts) setOften(g int) {
	var steps []float64
	for _, c := range f.System.Groups[g].Members {
		if f.Rate(c) > 0 {
			steps = append(steps, float64(f.Window.Loaded[c]))
		}
	}
	f.Groups[g].Often = quantile.Median(steps)
}

// setWaits sets the field Wait of each group.
func (f *Facts) setWaits() {
	all := make([][]float64, len(f.Groups))
	for lun := range f.Paths {
		if wait := f.Wait(lun); wait > 0 {
			g := f.GroupOf(f.FirstPath(lun))
			all[g] = append(all[g], wait)
		}
	}
	for g := range f.Groups {
		f.Groups[g].Wait = quantile.Median(all[g])
	}
}

// Rate returns the mean throughput of a component in the window, in sectors per second.
func (f *Facts) Rate(c int) float64 {
	return f.Window.sectors[c] / (float64(f.StepSeconds) * float64(max(f.Window.Steps, 1)))
}

// HasLightWork reports whether a component had so little load in the window that the requests may come
// from its server itself, and not from clients.
func (f *Facts) HasLightWork(c int) bool { return f.IsNoise(f.Rate(c)) }

// IsNoise reports whether a throughput, in sectors per second, is so small that it is noise. The
// requests may then come from the server itself, and not from clients (L13 §5.3.2).
func (f *Facts) IsNoise(rate float64) bool { return rate < metric.RdSec.Noise }

// Wait returns the mean latency of a LUN's requests in the window, over all paths. The result is 0
// if there were no requests.
func (f *Facts) Wait(lun int) float64 {
	if f.Window.lunRequests[lun] == 0 {
		return 0
	}
	return f.Window.lunLatency[lun] / f.Window.lunRequests[lun]
}

// WindowSeconds returns the length of the window that ended last, in seconds.
func (f *Facts) WindowSeconds() int64 { return int64(f.Window.Steps) * f.StepSeconds }

// ServingPath returns which path serves the LUN, as an index in Paths[lun]. If several paths serve
// it, the result is the path with the highest priority. The result is -1 if no path serves it.
func (f *Facts) ServingPath(lun int) int {
	return slices.IndexFunc(f.Paths[lun], func(c int) bool { return f.Conditions[c] == Serving })
}
