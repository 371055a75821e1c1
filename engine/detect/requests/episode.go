package requests

import (
	"math"

	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// Verdict is the result of comparing the requests of a component with the requests of its peers.
type Verdict uint8

// The verdicts.
const (
	Healthy     Verdict = iota // its requests are as fast as the requests of its peers, or there is too little evidence
	Shifted                    // its requests in general take longer
	PartDelayed                // a part of its requests takes far longer
	Queued                     // its requests wait because there are more of them
)

// Verdict returns the verdict on a component. If a component is a suspect because of its slow
// requests, the verdict is not Queued, even if the component also has more load than its peers.
func (d *Detector) Verdict(c int) Verdict {
	switch x := &d.courses[c]; {
	case x.slow.suspect:
		return x.slow.verdict(&d.criteria)
	case x.queue.isActive():
		return Queued
	}
	return Healthy
}

// episode holds sums since a component began to have more slow requests than its peers.
type episode struct {
	requests           float64
	beyond             [numEdges]tally
	usualMs            float64 // total time that its requests would take if each request took the median time of the peers
	peersMs            float64 // total time that its requests would take if each request took the mean time of the peers
	ticks              float64 // number of ticks
	shares             [numEdges]shares
	extraMs            float64 // sum over ticks: mean time of a request in the device, minus the mean time of the peers' requests
	deviceMs, queueMs  float64 // total times of its requests in the device and in the queue
	effect             ratio   // time of its requests, compared with its peers
	now, worst         float64 // now: moving average, with the half-life nowSeconds, of ln(slow requests / expected slow requests); worst: largest value of now so far
	calmSince          int64   // Unix time of the tick since which it has been like its peers; 0 while it has slow requests
	evidence           float64 // evidence at the last tick, in nats
	anomalous, suspect bool
	suspectTicks       int // number of ticks as a suspect minus number of other ticks, never below 0
}

// shares holds sums over ticks. For each tick, it adds the share of the component's requests that
// take longer than a bound. Every tick has the same weight, even if it has few requests. There are
// two reasons: an episode may begin a little before the fault, and a faulty component may get far
// fewer requests than before.
type shares struct {
	slow, expected float64
	extraMs        float64 // sum over ticks: Σ (time − median time of the peers) over the slow requests, divided by the number of all requests
}

// take adds the requests of a tick to the sums. The parameter `shows` is true while the evidence of
// the component is above zero (evidence.Monitor.HasExcursion). If `shows` is false, take sets all
// sums to zero.
func (e *episode) take(m *member, w *work, value, keep float64, shows bool) {
	if !shows {
		*e = episode{now: e.now}
	} else {
		e.requests += w.requests
		for b := range e.beyond {
			t, each := &m.slow[b], &e.shares[b]
			e.beyond[b].add(t)
			each.slow, each.expected = each.slow+w.perRequest(t.slow), each.expected+w.perRequest(t.expected)
			each.extraMs += w.perRequest(t.slowMs - t.slow*w.perRequest(m.usualMs))
		}
		e.ticks++
		e.extraMs += w.perRequest(w.deviceMs - m.peersMs)
		e.usualMs, e.peersMs = e.usualMs+m.usualMs, e.peersMs+m.peersMs
		e.deviceMs, e.queueMs = e.deviceMs+w.deviceMs, e.queueMs+w.queueMs
	}
	e.now = keep*e.now + (1-keep)*value
	e.worst = max(e.worst, e.now)
}

// verdict decides whether all requests of a component are slower, or only a part of them is
// delayed. A part is delayed if few of the requests are slow (QuarterShare), and if these requests
// explain most of the extra time of all requests (HalfShare).
func (e *episode) verdict(o *criteria.Options) Verdict {
	if near := &e.shares[0]; near.slow >= o.QuarterShare*e.ticks || near.extraMs < o.HalfShare*e.extraMs {
		return Shifted
	}
	return PartDelayed
}

// clearestBound returns the index of the bound that shows the excess of slow requests more clearly:
// 0 for the near bound, 1 for the far bound. Each bound has a ratio (slow requests / expected
// number) with a 95 % interval. The bound whose interval has the greater lower end is chosen.
func (e *episode) clearestBound(prior float64) int {
	if e.beyond[1].ratioWithInterval(prior).Low >= e.beyond[0].ratioWithInterval(prior).Low {
		return 1
	}
	return 0
}

// ratioWithInterval returns the ratio of a component's slow requests to the expected number, with
// the 95 % interval of the ratio for Poisson counts.
func (t *tally) ratioWithInterval(prior float64) finding.Effect {
	off := normal95 * math.Sqrt(1/(t.slow+prior)+1/(t.expected+prior))
	times := t.ratioWithPrior(prior)
	return finding.Effect{Times: times, Low: times * math.Exp(-off), High: times * math.Exp(off)}
}

// normal95 is half of the width of a 95 % interval, in standard deviations.
const normal95 = 1.96

// mean returns a sum divided by the number of requests.
func mean(sum, requests float64) float64 { return sum / max(requests, 1) }

// decide decides after a tick whether a component is anomalous, and whether it is a suspect. The
// component's evidence must reach the bound for an anomalous component or for a suspect, and the
// component must still have too many slow requests. If the component has been like its peers for
// RecoverSeconds, decide ends its episode.
func (d *Detector) decide(c int) {
	x := &d.courses[c]
	e := &x.slow
	if !d.monitor.HasExcursion(c) {
		e.anomalous, e.suspect, e.suspectTicks, e.evidence = false, false, 0, 0
		return
	}
	if !x.compared {
		return
	}
	g := d.facts.GroupOf(c)
	e.evidence = d.monitor.Evidence(c, g)
	shows := e.now >= d.criteria.QuarterShare*e.worst
	switch {
	case shows:
		e.calmSince = 0
	case e.calmSince == 0:
		e.calmSince = d.ticks.Last
	case d.ticks.Last-e.calmSince >= d.criteria.RecoverSeconds:
		d.monitor.EndExcursion(c, g)
		*e = episode{now: e.now}
		return
	}
	e.anomalous, e.suspect = e.evidence >= d.criteria.HalfShare*d.suspectEvidence && shows, e.evidence >= d.suspectEvidence && shows
	if e.suspect {
		e.suspectTicks++
	} else if e.suspectTicks > 0 {
		e.suspectTicks--
	}
	if e.evidence >= d.incidentEvidence {
		d.monitor.MarkFault(c)
	}
}

func (e *episode) state(c *state.Codec) {
	for _, f := range []*float64{
		&e.requests, &e.usualMs, &e.peersMs, &e.deviceMs, &e.queueMs, &e.ticks, &e.extraMs, &e.now, &e.worst, &e.evidence,
	} {
		c.Float(f)
	}
	for b := range e.beyond {
		t := &e.beyond[b]
		c.Float(&t.slow)
		c.Float(&t.expected)
		c.Float(&t.slowMs)
	}
	for b := range e.shares {
		x := &e.shares[b]
		c.Float(&x.slow)
		c.Float(&x.expected)
		c.Float(&x.extraMs)
	}
	e.effect.state(c)
	state.Int(c, &e.calmSince)
	c.Bool(&e.anomalous)
	c.Bool(&e.suspect)
	state.Int(c, &e.suspectTicks)
}
