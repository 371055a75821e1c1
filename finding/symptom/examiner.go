package symptom

import (
	"fmt"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// examiner finds the signs of a system's components, window by window.
type examiner struct {
	opts     Options
	step     int64 // seconds
	steps    int64 // of a window
	serverOf []int
	groups   map[topology.Kind][]*group
	blocks   *blocks
	works    []bool    // by component: it has data and something to do in this window
	loads    []load    // by server: what it has beyond the peers'
	filters  []filters // by component
	window   window
	crowd    []crowd // by server, after one for those without a server
	scratch  []float64
}

// filters are those of one component's symptoms.
type filters [NumKinds]detect.Filter

// crowd says whether a server was judged in a kind of symptom, and is odd in it.
type crowd struct{ judged, odd bool }

// window is what all components show over one window.
type window struct {
	start, end int64
	signs      []sign
	unlike     []Kind // that so many servers show that they are no peers in it
}

func newExaminer(o Options, m *place.Map, schema table.Schema) (*examiner, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.ShiftSeconds%schema.StepSeconds != 0 {
		return nil, fmt.Errorf("windows every %d s of rows every %d s: choose a step that divides the shift", o.ShiftSeconds, schema.StepSeconds)
	}
	servers := len(m.System.Servers)
	x := &examiner{
		opts: o, step: schema.StepSeconds, steps: o.WinSeconds / schema.StepSeconds, serverOf: m.ServerOf,
		groups: map[topology.Kind][]*group{}, works: make([]bool, schema.Components), filters: make([]filters, schema.Components),
		loads: make([]load, servers), crowd: make([]crowd, servers+1),
	}
	var places [numColumns]int
	for c, of := range columns {
		places[c] = metric.Index(schema.Metrics, of.Name)
	}
	x.blocks = newBlocks(places, o.ShiftSeconds/x.step, int(o.WinSeconds/o.ShiftSeconds), schema.Components)
	for i := range m.System.Groups {
		members := m.System.Groups[i].Members
		if len(members) >= topology.MinPeers {
			kind := m.Of(members[0]).Kind
			x.groups[kind] = append(x.groups[kind], &group{members: members})
		}
	}
	return x, nil
}

// push takes the next row and hands the windows that it completes to emit, which
// may keep nothing of them. Where too few rows came there is no window.
func (x *examiner) push(row *table.Row, emit func(*window)) {
	x.blocks.push(row, row.End/x.step, func(end int64) {
		if x.present(x.blocks.sum()) {
			x.examine(end * x.step)
			emit(&x.window)
		}
	})
}

// examine judges one window. What the network brought is known before disks are
// judged, and what disks did before the network is.
func (x *examiner) examine(end int64) {
	x.window = window{start: end - x.opts.WinSeconds, end: end, signs: x.window.signs[:0], unlike: x.window.unlike[:0]}
	for _, kind := range [...]topology.Kind{topology.Attachment, topology.Interface, topology.Host} {
		for _, g := range x.groups[kind] {
			x.measure(g)
		}
	}
	x.measureLoads()
	x.each(topology.Attachment, x.disk)
	x.each(topology.Interface, x.network)
	x.each(topology.Host, x.losses)
	x.excuseCrowds()
	for i := range x.window.signs {
		s := &x.window.signs[i]
		s.suspect = x.filters[s.Component][s.kind].Push(s.odd, x.opts.KWindows)
	}
}

// excuseCrowds: what half of the servers or more show is nobody's fault. They
// may be doing different things, or the drives of one server different ones.
func (x *examiner) excuseCrowds() {
	for kind := range NumKinds {
		clear(x.crowd)
		judged, odd := 0, 0
		for i := range x.window.signs {
			s := &x.window.signs[i]
			of := &x.crowd[x.serverOf[s.Component]+1]
			if s.kind == kind && !of.judged {
				of.judged = true
				judged++
			}
			if s.kind == kind && s.odd && !of.odd {
				of.odd = true
				odd++
			}
		}
		if odd >= x.opts.CrowdServers && float64(odd) >= x.opts.CrowdRatio*float64(judged) {
			x.window.unlike = append(x.window.unlike, kind)
			x.excuse(kind)
		}
	}
}

// excuse makes nobody odd in a kind of symptom.
func (x *examiner) excuse(kind Kind) {
	for i := range x.window.signs {
		if s := &x.window.signs[i]; s.kind == kind && s.odd {
			s.odd, s.doubt = false, "half of the servers show it"
		}
	}
}

// each judges the components of a kind that have something to do.
func (x *examiner) each(kind topology.Kind, judge func(g *group, c int)) {
	for _, g := range x.groups[kind] {
		if !g.judged {
			continue
		}
		for _, c := range g.members {
			if x.works[c] {
				judge(g, c)
			}
		}
	}
}

// sign notes a symptom. It is odd where it reaches its threshold and nothing
// speaks against it.
func (x *examiner) sign(kind Kind, of column, doubt string, e finding.Evidence) {
	e.Metric, e.From, e.To = columns[of].Name, x.window.start, x.window.end
	if e.Unit == "" {
		e.Unit = columns[of].Unit
	}
	s := sign{Evidence: e, kind: kind}
	if e.Score >= e.Threshold {
		s.odd, s.doubt = doubt == "", doubt
	}
	x.window.signs = append(x.window.signs, s)
}
