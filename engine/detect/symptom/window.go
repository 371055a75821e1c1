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
	Symptom   finding.Symptom
	Anomalous bool          // the sign reaches its threshold, and Doubt is finding.NoDoubt
	Doubt     finding.Doubt // reason why a sign that reaches its threshold is not anomalous
	Suspect   bool          // the sign was anomalous in k of the last 2k−1 windows

	requests requests // only for the symptom Waits: comparison of the drive's requests with the requests of its peers
}

// Group is a peer group in one window.
type Group struct {
	Members    []int
	Medians    [window.NumColumns]float64 // by column: median of the members' means in the window
	comparable bool                       // at least three members have work
}

// Window holds the measurements of one window: the means of all components, the medians of their
// peers, the load of each server in excess of its peers, and the signs. The code for disks, network
// traffic and losses adds the signs (Window.Note).
type Window struct {
	*window.Totals
	Start, End int64
	Signs      []Sign

	steps    int64 // number of steps in a window
	serverOf []int
	groups   map[topology.Kind][]*Group
	works    []bool    // by component: whether it has data and work
	loads    []Load    // by server: its load in excess of its peers
	drives   []int     // all drives, with and without peers
	moved    []moved   // by server: bytes per second that its drives read and write
	carried  []traffic // by server: bytes per second that its interfaces receive and send
	partners []traffic // by server: bytes per second that it receives from other servers of the system, and sends to other servers of the system
	ceph     []bool    // by server: whether it has drives of Ceph
	scratch  []float64
}

// newWindow returns a window for a system, without measurements.
func newWindow(m *blame.Map, totals *window.Totals, winSeconds int64) *Window {
	w := &Window{
		Totals: totals, steps: winSeconds / totals.StepSeconds, serverOf: m.ServerOf,
		groups: map[topology.Kind][]*Group{}, works: make([]bool, len(m.System.Components)), loads: make([]Load, len(m.System.Servers)),
		moved: make([]moved, len(m.System.Servers)), carried: make([]traffic, len(m.System.Servers)), partners: make([]traffic, len(m.System.Servers)), ceph: make([]bool, len(m.System.Servers)),
	}
	for c := range m.System.Components {
		if m.Component(c).Kind != topology.Attachment || m.Component(c).Service {
			continue
		}
		w.drives = append(w.drives, c)
		if s := w.serverOf[c]; s >= 0 && m.Component(c).Storage == "ceph" {
			w.ceph[s] = true
		}
	}
	for i := range m.System.Groups {
		members := m.System.Groups[i].Members
		if len(members) >= topology.MinPeers && !m.Component(members[0]).Service { // a service is not a drive, so it is left out
			kind := m.Component(members[0]).Kind
			w.groups[kind] = append(w.groups[kind], &Group{Members: members})
		}
	}
	return w
}

// Measure computes the medians and the loads of the window that ends at the Unix time `end`, and
// deletes the signs of the previous window. It returns false if too few steps had a row.
func (w *Window) Measure(end int64, steps int) bool {
	if !w.HasEnoughSteps(steps) {
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

// HasEnoughSteps reports whether `steps` is more than half of the steps of a window.
func (w *Window) HasEnoughSteps(steps int) bool {
	return int64(2*steps) > w.steps
}

// measure decides whether a group can be compared. If so, it sets the medians of the group.
func (w *Window) measure(g *Group) {
	present := 0
	for _, c := range g.Members {
		if w.works[c] = w.hasWork(c); w.works[c] {
			present++
		}
	}
	if g.comparable = present >= topology.MinPeers; !g.comparable {
		return
	}
	for c := range window.NumColumns {
		g.Medians[c] = w.Median(g, func(of int) float64 { return w.ByComponent[of].Mean(c) })
	}
}

// hasWork reports whether a component has enough data and has work. Idle components are not peers
// of busy components. If a component has no metric of load, it counts as busy.
func (w *Window) hasWork(c int) bool {
	t, most := &w.ByComponent[c], int32(0)
	for _, n := range t.Steps {
		most = max(most, n)
	}
	idleDrive := t.Steps[window.TPS] > 0 && t.Value[window.TPS] == 0
	idleInterface := t.Steps[window.RxBytes] > 0 && t.Mean(window.RxBytes) < metric.RxByt.Noise && t.Mean(window.TxBytes) < metric.TxByt.Noise
	return w.HasEnoughSteps(int(most)) && !idleDrive && !idleInterface
}

// Median returns the median of a value over the members that have work and a known
// value. It returns a missing value if there are fewer than three such members. Faulty
// members count too, but they are a minority and hardly change the median.
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

// Groups calls the function `visit` for each group of a kind in which at least three members have
// work.
func (w *Window) Groups(kind topology.Kind, visit func(*Group)) {
	for _, g := range w.groups[kind] {
		if g.comparable {
			visit(g)
		}
	}
}

// EachMember calls the function `visit` for the members of a group that have work.
func (w *Window) EachMember(g *Group, visit func(component int)) {
	for _, c := range g.Members {
		if w.works[c] {
			visit(c)
		}
	}
}

// Excess returns a component's mean of the metric `of`, minus the median of its peers. It returns 0
// if the mean or the median is not known.
func (w *Window) Excess(g *Group, component int, of window.Column) float64 {
	d := w.ByComponent[component].Mean(of) - g.Medians[of]
	if table.IsMissing(d) {
		return 0
	}
	return d
}

// Note adds a sign of a symptom, and reports whether the sign is anomalous. The parameter `of` is
// the metric that shows the symptom. A sign is anomalous if its score reaches its threshold, and
// `doubt` is finding.NoDoubt.
func (w *Window) Note(symptom finding.Symptom, of window.Column, doubt finding.Doubt, e finding.Evidence) bool {
	e.Metric, e.From, e.To = window.Columns[of].Name, w.Start, w.End
	if e.Unit == "" {
		e.Unit = window.Columns[of].Unit
	}
	s := Sign{Evidence: e, Symptom: symptom}
	if e.Score >= e.Threshold {
		s.Anomalous, s.Doubt = doubt == finding.NoDoubt, doubt
	}
	w.Signs = append(w.Signs, s)
	return s.Anomalous
}
