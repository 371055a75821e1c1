package slow

import (
	"math"

	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// minute holds sums over the steps of the present minute in which a component was compared. The
// evidence grows with every step, but the size of the slowness is measured over whole minutes
// (docs/method-slow.md, Effect). The latency of a minute is the mean over its requests, so it does
// not depend on the length of a step.
type minute struct {
	steps     float64
	requests  float64
	latency   float64 // sum of (latency × requests) of the component
	peers     float64 // sum of (latency of the peers × requests of the component)
	explained float64 // sum of the logarithms of the ratio to the peers that is expected from the component's load, or from its takeover
	load      float64 // sum of the logarithms of the ratio of its load to its peers' load
	fixed     bool    // its peers are idle, or it took over its LUN; then its latency is compared with the field `peers`, and not with the latencies of other members over this minute
}

// idleRequests is the weight of a step without requests. The weight is so small that such a step
// matters only if the whole minute has no requests.
const idleRequests = 1e-6

func (m *minute) add(v *memberStep, explained, load float64, fixed bool) {
	requests := max(v.requests, idleRequests)
	m.steps++
	m.requests += requests
	m.latency, m.peers = m.latency+requests*v.latency, m.peers+requests*v.peers
	m.explained, m.load = m.explained+explained, m.load+load
	m.fixed = m.fixed || fixed
}

// endMinute is called after each row, with the Unix time at which the row ends. If a minute ends
// with this row, endMinute compares the latencies of the minute, and adds the ratios to the effects
// of the components.
func (d *Detector) endMinute(end int64) {
	seconds := d.minutes.Advance(end, true)
	if seconds == 0 {
		return
	}
	for g := range d.groups {
		d.compareMinute(d.facts.System.Groups[g].Members, end-seconds)
	}
	for _, c := range d.facts.Attachments {
		d.courses[c].minute = minute{}
	}
}

// compareMinute compares the members of a group over the minute that began at the Unix time
// `begin`. The latency of a member's peers is the median of the members that are not anomalous. The
// method reference computes the same median for a step.
func (d *Detector) compareMinute(members []int, begin int64) {
	var all, healthy []float64
	shows := false
	for _, c := range members {
		w := &d.courses[c]
		if w.minute.steps == 0 {
			continue
		}
		shows = shows || d.monitor.HasExcursion(c)
		if w.minute.fixed {
			continue
		}
		all = append(all, w.minute.latency/w.minute.requests)
		if !w.anomalous {
			healthy = append(healthy, w.minute.latency/w.minute.requests)
		}
	}
	if !shows {
		return
	}
	few := len(healthy) < topology.MinPeers
	if few {
		healthy = all
	}
	middle := quantile.MiddleOf(healthy)
	for _, c := range members {
		w := &d.courses[c]
		m := &w.minute
		if m.steps == 0 || !d.monitor.HasExcursion(c) || !m.fixed && len(all) < topology.MinPeers {
			continue
		}
		own, peers := m.latency/m.requests, middle.Median()
		switch {
		case m.fixed:
			peers = m.peers / m.requests
		case few || !w.anomalous:
			peers = middle.Without(own)
		}
		explained := m.explained / m.steps
		effect := min(math.Log(own/peers)-explained, logMaxTimes)
		d.monitor.AddMinute(c, effect, &[evidence.Extras]float64{loadRatio: m.load / m.steps, ownLatency: math.Log(own), peersLatency: math.Log(peers) + explained}, begin)
	}
}

func (m *minute) state(c *state.Codec) {
	for _, f := range []*float64{&m.steps, &m.requests, &m.latency, &m.peers, &m.explained, &m.load} {
		c.Float(f)
	}
	c.Bool(&m.fixed)
}
