package symptom

import (
	"fmt"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Examiner finds the symptoms of a system's servers, window by window.
type Examiner struct {
	opts     Options
	step     int64 // seconds
	steps    int64 // of a window
	system   *topology.System
	serverOf []int
	groups   map[topology.Kind][]*group
	blocks   *blocks
	load     []load    // by server: what it has beyond the peers'
	filters  []filters // by component
	window   Window
	scratch  []float64
}

// filters are those of one component's symptoms.
type filters [NumKinds]detect.Filter

// New returns an examiner of a stream's rows.
func New(o Options, system *topology.System, schema table.Schema) (*Examiner, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.ShiftSeconds%schema.StepSeconds != 0 {
		return nil, fmt.Errorf("windows every %d s of rows every %d s: choose a step that divides the shift", o.ShiftSeconds, schema.StepSeconds)
	}
	x := &Examiner{
		opts: o, step: schema.StepSeconds, steps: o.WinSeconds / schema.StepSeconds,
		system: system, serverOf: system.ServerOf(), groups: map[topology.Kind][]*group{},
		load: make([]load, len(system.Servers)), filters: make([]filters, schema.Components),
	}
	var places [numColumns]int
	for c, m := range columns {
		places[c] = metric.Index(schema.Metrics, m.Name)
	}
	x.blocks = newBlocks(places, o.ShiftSeconds/x.step, int(o.WinSeconds/o.ShiftSeconds), schema.Components)
	for i := range system.Groups {
		members := system.Groups[i].Members
		if len(members) >= topology.MinPeers {
			kind := system.Components[members[0]].Kind
			x.groups[kind] = append(x.groups[kind], &group{members: members})
		}
	}
	return x, nil
}

// Push takes the next row and hands the window that it completes, if any, to
// emit, which may keep nothing of it.
func (x *Examiner) Push(row *table.Row, emit func(*Window)) {
	x.blocks.push(row, row.End/x.step, func(end int64) {
		if filled := int64(x.blocks.sum()); 2*filled > x.steps {
			x.examine(end*x.step, emit)
		}
	})
}

// examine judges one window. What the network brought is known before disks
// are judged, and what disks did before the network is.
func (x *Examiner) examine(end int64, emit func(*Window)) {
	x.window.Start, x.window.End = end-x.opts.WinSeconds, end
	x.window.Signs = x.window.Signs[:0]
	for _, kind := range []topology.Kind{topology.Attachment, topology.Interface, topology.Host} {
		for _, g := range x.groups[kind] {
			x.measure(g)
		}
	}
	x.weigh()
	x.each(topology.Attachment, x.disk)
	x.each(topology.Interface, x.network)
	x.each(topology.Host, x.losses)
	x.acquitCrowds()
	for i := range x.window.Signs {
		s := &x.window.Signs[i]
		s.Suspect = x.filters[s.Component][s.Kind].Push(s.Odd, x.opts.K)
	}
	emit(&x.window)
}

// acquitCrowds: what half of the servers or more show is nobody's fault. They
// may be doing different things, or the drives of one server different ones.
func (x *Examiner) acquitCrowds() {
	x.window.Unlike = x.window.Unlike[:0]
	for kind := range NumKinds {
		judged, odd := map[int]bool{}, map[int]bool{}
		for i := range x.window.Signs {
			if s := &x.window.Signs[i]; s.Kind == kind {
				judged[x.serverOf[s.Component]] = true
				if s.Odd {
					odd[x.serverOf[s.Component]] = true
				}
			}
		}
		if len(odd) > 1 && 2*len(odd) >= len(judged) {
			x.window.Unlike = append(x.window.Unlike, kind)
			x.acquit(kind)
		}
	}
}

func (x *Examiner) acquit(kind Kind) {
	for i := range x.window.Signs {
		if s := &x.window.Signs[i]; s.Kind == kind && s.Odd {
			s.Odd, s.Doubt = false, "half of the servers show it"
		}
	}
}

// each judges the components of a kind that have something to do.
func (x *Examiner) each(kind topology.Kind, judge func(g *group, c int)) {
	for _, g := range x.groups[kind] {
		if !g.judged {
			continue
		}
		for _, c := range g.members {
			if x.works(c) {
				judge(g, c)
			}
		}
	}
}

// sign notes a symptom, which is odd where it reaches its threshold and the
// other metrics confirm it.
func (x *Examiner) sign(s Sign, confirmed bool, doubt string) {
	beyond := s.Score >= s.Threshold
	s.Odd = beyond && confirmed
	if beyond && !confirmed {
		s.Doubt = doubt
	}
	x.window.Signs = append(x.window.Signs, s)
}
