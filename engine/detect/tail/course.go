package tail

import (
	"math"

	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// course is how the slow requests of one component went since it began to have
// more of them than its peers.
type course struct {
	ticks, requests   float64 // since the onset
	beyond            [numEdges]tally
	usualMs           float64 // that all would take at its peers' median
	deviceMs, queueMs float64 // that all took
	now, worst        float64 // the value of late, and the most that it was
	calm              int64   // since when it has been like its peers; 0 while it is not
	nats              float64
	odd, suspect      bool
	told              int  // ticks in which it was suspect, less those in which it was not
	isJudged          bool // since the last tick
}

// take takes a tick up. What is counted begins with an excursion.
func (w *course) take(m *member, value, keep float64, monitor *evidence.Monitor) {
	if !monitor.Shows(m.component) {
		*w = course{now: w.now, nats: 0}
	} else {
		w.ticks++
		w.requests += m.requests
		for b := range w.beyond {
			w.beyond[b].add(&m.slow[b])
		}
		w.usualMs += m.usualMs
		w.deviceMs, w.queueMs = w.deviceMs+m.deviceMs, w.queueMs+m.queueMs
	}
	w.now, w.isJudged = keep*w.now+(1-keep)*value, true
	w.worst = max(w.worst, w.now)
}

// clearest is what lies beyond the bound that shows most for certain.
func (w *course) clearest(prior float64) *tally {
	if w.beyond[1].effect(prior).Low >= w.beyond[0].effect(prior).Low {
		return &w.beyond[1]
	}
	return &w.beyond[0]
}

// effect is how many times the slow requests of its peers a component had, and the
// interval that holds it in nineteen of twenty cases: the counts are Poisson's.
func (t *tally) effect(prior float64) finding.Effect {
	const deviations = 1.96
	off := deviations * math.Sqrt(1/(t.slow+prior)+1/(t.expected+prior))
	times := t.times(prior)
	return finding.Effect{Times: times, Low: times * math.Exp(-off), High: times * math.Exp(off)}
}

// mean of a sum over some requests.
func mean(sum, requests float64) float64 { return sum / max(requests, 1) }

func (w *course) state(c *state.Codec) {
	for _, f := range []*float64{
		&w.ticks, &w.requests, &w.usualMs, &w.deviceMs, &w.queueMs, &w.now, &w.worst, &w.nats,
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
	state.Int(c, &w.told)
	c.Bool(&w.isJudged)
}
