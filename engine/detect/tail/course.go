package tail

import (
	"math"

	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// course is what the detector remembers about one component since the component began to have more
// slow requests than its peers.
type course struct {
	ticks, requests   float64 // numbers of ticks and requests since the onset
	beyond            [numEdges]tally
	usualMs           float64 // total time that its requests would take if each request took the median time of the peers
	deviceMs, queueMs float64 // total times of its requests in the device and in the queue
	now, worst        float64 // current value of the component (Options.RecentTicks), and the largest current value so far
	calm              int64   // Unix time of the tick since which it has been like its peers; 0 while it has slow requests
	evidence          float64 // evidence at the last tick, in nats
	odd, suspect      bool
	suspectTicks      int  // number of ticks as a suspect minus number of other ticks, never below 0
	compared          bool // it was compared since the last tick
}

// take adds a tick. It sets all sums to zero while the component has no evidence
// (evidence.Monitor.Shows).
func (w *course) take(m *member, value, keep float64, monitor *evidence.Monitor) {
	if !monitor.Shows(m.component) {
		*w = course{now: w.now, evidence: 0}
	} else {
		w.ticks++
		w.requests += m.requests
		for b := range w.beyond {
			w.beyond[b].add(&m.slow[b])
		}
		w.usualMs += m.usualMs
		w.deviceMs, w.queueMs = w.deviceMs+m.deviceMs, w.queueMs+m.queueMs
	}
	w.now, w.compared = keep*w.now+(1-keep)*value, true
	w.worst = max(w.worst, w.now)
}

// clearest returns the tally of the bound with the more certain effect. The lower ends
// of the 95 % intervals of the two effects are compared.
func (w *course) clearest(prior float64) *tally {
	if w.beyond[1].effect(prior).Low >= w.beyond[0].effect(prior).Low {
		return &w.beyond[1]
	}
	return &w.beyond[0]
}

// effect returns the ratio of a component's slow requests to the expected number, with
// the 95 % interval of the ratio for Poisson counts.
func (t *tally) effect(prior float64) finding.Effect {
	const deviations = 1.96
	off := deviations * math.Sqrt(1/(t.slow+prior)+1/(t.expected+prior))
	times := t.times(prior)
	return finding.Effect{Times: times, Low: times * math.Exp(-off), High: times * math.Exp(off)}
}

// mean returns the mean value per request, from a sum over requests.
func mean(sum, requests float64) float64 { return sum / max(requests, 1) }

func (w *course) state(c *state.Codec) {
	for _, f := range []*float64{
		&w.ticks, &w.requests, &w.usualMs, &w.deviceMs, &w.queueMs, &w.now, &w.worst, &w.evidence,
	} {
		c.Float(f)
	}
	for b := range w.beyond {
		t := &w.beyond[b]
		c.Float(&t.slow)
		c.Float(&t.expected)
		c.Float(&t.slowMs)
	}
	state.Int(c, &w.calm)
	c.Bool(&w.odd)
	c.Bool(&w.suspect)
	state.Int(c, &w.suspectTicks)
	c.Bool(&w.compared)
}
