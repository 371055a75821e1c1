package requests

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// pace holds the number of requests in a minute, and the sum of their times from insertion to
// completion, in ms.
type pace struct{ requests, ms float64 }

func (p *pace) add(w *work) { p.requests, p.ms = p.requests+w.requests, p.ms+w.queueMs+w.deviceMs }

func (p *pace) state(c *state.Codec) {
	c.Float(&p.requests)
	c.Float(&p.ms)
}

// endMinute compares the requests of the minute that ends with this tick. The effect of a problem
// is measured by minutes, whatever the step is (docs/method-slow.md, Effect). A minute counts only
// if the problem began at or before the start of the minute.
func (d *Detector) endMinute() {
	seconds := d.minutes.Advance(d.ticks.Last, true)
	if seconds == 0 {
		return
	}
	begin := d.minutes.Last - seconds
	for _, g := range d.groups {
		d.compareMinute(d.members(g), begin)
		for _, c := range d.members(g) {
			d.memories[c].minute = pace{}
		}
	}
}

func (d *Detector) compareMinute(members []int, begin int64) {
	var times, requests []float64
	for _, c := range members {
		if p := &d.memories[c].minute; p.requests > 0 {
			times, requests = append(times, p.ms/p.requests), append(requests, p.requests)
		}
	}
	if len(times) < topology.MinPeers {
		return
	}
	time, load := quantile.MiddleOf(times), quantile.MiddleOf(requests)
	for _, c := range members {
		x, p := &d.courses[c], &d.memories[c].minute
		if p.requests == 0 {
			continue
		}
		own := p.ms / p.requests
		peers, more := time.Without(own), p.requests/max(load.Without(p.requests), tiny)
		if d.monitor.HasExcursion(c) && d.monitor.ExcursionBegan(c) <= begin {
			x.slow.effect.add(own, peers, more)
		}
		if x.queue.began > 0 && x.queue.began-d.ticks.Seconds <= begin {
			x.queue.effect.add(own, peers, more)
		}
	}
}

// ratio compares the time of a component's requests with the time of its peers' requests, minute by
// minute. All sums are of natural logarithms.
type ratio struct {
	minutes        float64
	times, squares float64 // sums of ln r and of its square, where r is the component's time divided by its peers' time
	// The next three fields are sums of logarithms:
	//   - own: of the mean time of the component's requests, in ms
	//   - peers: of the median of such mean times over the peers, in ms
	//   - load: of the number of the component's requests, divided by the peers' median number
	own, peers, load float64
}

func (r *ratio) add(own, peers, load float64) {
	own, peers = math.Log(max(own, tiny)), math.Log(max(peers, tiny))
	r.minutes++
	r.times, r.squares = r.times+own-peers, r.squares+(own-peers)*(own-peers)
	r.own, r.peers, r.load = r.own+own, r.peers+peers, r.load+math.Log(max(load, tiny))
}

// mean converts a sum of logarithms over the minutes to a geometric mean.
func (r *ratio) mean(sum float64) float64 { return math.Exp(sum / max(r.minutes, 1)) }

// effect returns the geometric mean of the ratio over the minutes, with its 95 % interval.
// Neighbouring minutes are correlated, so each block of correlatedMinutes minutes counts as one
// minute.
func (r *ratio) effect() finding.Effect {
	mean := r.times / max(r.minutes, 1)
	variance := max(r.squares/max(r.minutes, 1)-mean*mean, leastDeviation*leastDeviation)
	off := normal95 * math.Sqrt(variance/max(r.minutes/correlatedMinutes, 1))
	return finding.Effect{Times: math.Exp(mean), Low: math.Exp(mean - off), High: math.Exp(mean + off)}
}

const (
	// correlatedMinutes is the number of neighbouring minutes that count as one independent minute.
	// It is the length of a batch of package evidence if a step is 15 s.
	correlatedMinutes = 5
	// leastDeviation is a lower bound for the standard deviation of the logarithm of a minute's
	// ratio.
	leastDeviation = 0.05
)

func (r *ratio) state(c *state.Codec) {
	for _, f := range []*float64{&r.minutes, &r.times, &r.squares, &r.own, &r.peers, &r.load} {
		c.Float(f)
	}
}
