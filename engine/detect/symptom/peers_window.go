// This file says what the drives, interfaces and connections of servers do
// in a window beside what their peers do, and what a server as a whole has
// beyond its peers.
//
// It takes the totals of package window and adds medians. The detectors of one
// resource each (disk, network, loss) read it and note signs in it. It is pure.

package symptom

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// Sign is one symptom of one component in one window.
type Sign struct {
	finding.Evidence
	Symptom finding.Symptom
	Odd     bool          // beyond the threshold, and confirmed by the other metrics
	Doubt   finding.Doubt // what the other metrics say against it, where it is beyond the threshold
	Suspect bool          // after the k-of-2k−1 filter
}

// Group is a peer group with what one window says of it.
type Group struct {
	Members []int
	Medians [window.NumColumns]float64 // of the members' means
	judged  bool                       // at least three have something to do
}

// Window is what all components do in one window, and the signs that were noted
// of them.
type Window struct {
	*window.Totals
	Options    PeersOptions
	Start, End int64
	Signs      []Sign

	steps    int64 // of a window
	serverOf []int
	groups   map[topology.Kind][]*Group
	works    []bool // by component: it has data and something to do
	loads    []Load // by server
	scratch  []float64
}

// newPeers returns the window of a system before its first row.
func newPeers(o PeersOptions, m *blame.Map, totals *window.Totals, winSeconds int64) *Window {
	w := &Window{
		Totals: totals, Options: o, steps: winSeconds / totals.StepSeconds, serverOf: m.ServerOf,
		groups: map[topology.Kind][]*Group{}, works: make([]bool, len(m.System.Components)), loads: make([]Load, len(m.System.Servers)),
	}
	for i := range m.System.Groups {
		members := m.System.Groups[i].Members
		if len(members) >= topology.MinPeers {
			kind := m.Of(members[0]).Kind
			w.groups[kind] = append(w.groups[kind], &Group{Members: members})
		}
	}
	return w
}

// Measure compares the totals of the window that has just ended, and forgets
// the signs of the one before. It reports false where too few of its steps had a
// row.
func (w *Window) Measure(end int64, steps int) bool {
	if !w.Present(steps) {
		return false
	}
	w.Start, w.End, w.Signs = end-w.steps*w.StepSeconds, end, w.Signs[:0]
	for _, kind := range [...]topology.Kind{topology.Attachment, topology.Interface, topology.Host} {
		for _, g := range w.groups[kind] {
			w.measure(g)
		}
	}
	w.measureLoads()
	return true
}

// Present says whether so many steps of a window are enough.
func (w *Window) Present(steps int) bool {
	return float64(steps) > w.Options.PresentRatio*float64(w.steps)
}

// measure takes the medians of a group.
func (w *Window) measure(g *Group) {
	present := 0
	for _, c := range g.Members {
		if w.works[c] = w.hasWork(c); w.works[c] {
			present++
		}
	}
	if g.judged = present >= topology.MinPeers; !g.judged {
		return
	}
	for c := range window.NumColumns {
		g.Medians[c] = w.Median(g, func(of int) float64 { return w.Of[of].Mean(c) })
	}
}

// hasWork says whether a component has data and something to do: idle ones are
// no peers of busy ones. Of what is not measured nobody can say that it is idle.
func (w *Window) hasWork(c int) bool {
	t, most := &w.Of[c], int32(0)
	for _, n := range t.Steps {
		most = max(most, n)
	}
	idleDrive := t.Steps[window.TPS] > 0 && t.Value[window.TPS] == 0
	idleInterface := t.Steps[window.RxBytes] > 0 && t.Mean(window.RxBytes) < metric.RxByt.Noise && t.Mean(window.TxBytes) < metric.TxByt.Noise
	return w.Present(int(most)) && !idleDrive && !idleInterface
}

// Median of a value of the members that work and have it, missing where fewer
// than three do. The members that are at fault are among them, but a minority.
func (w *Window) Median(g *Group, of func(component int) float64) float64 {
	w.scratch = w.scratch[:0]
	for _, c := range g.Members {
		if !w.works[c] {
			continue
		}
		if v := of(c); !table.IsMissing(v) {
			w.scratch = append(w.scratch, v)
		}
	}
	if len(w.scratch) < topology.MinPeers {
		return table.Missing
	}
	return quantile.Median(w.scratch)
}

// Groups calls judge for the groups of a kind that have enough to do.
func (w *Window) Groups(kind topology.Kind, judge func(*Group)) {
	for _, g := range w.groups[kind] {
		if g.judged {
			judge(g)
		}
	}
}

// Each calls judge for the members of a group that have something to do.
func (w *Window) Each(g *Group, judge func(component int)) {
	for _, c := range g.Members {
		if w.works[c] {
			judge(c)
		}
	}
}

// Excess is by how much a component's mean lies above its peers', negative
// below; 0 where either is not known.
func (w *Window) Excess(g *Group, component int, of window.Column) float64 {
	d := w.Of[component].Mean(of) - g.Medians[of]
	if table.IsMissing(d) {
		return 0
	}
	return d
}

// Note notes a symptom, shown by a column. It is odd where it reaches its
// threshold and nothing speaks against it.
func (w *Window) Note(symptom finding.Symptom, of window.Column, doubt finding.Doubt, e finding.Evidence) bool {
	e.Metric, e.From, e.To = window.Columns[of].Name, w.Start, w.End
	if e.Unit == "" {
		e.Unit = window.Columns[of].Unit
	}
	s := Sign{Evidence: e, Symptom: symptom}
	if e.Score >= e.Threshold {
		s.Odd, s.Doubt = doubt == finding.NoDoubt, doubt
	}
	w.Signs = append(w.Signs, s)
	return s.Odd
}
