package past

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// course holds the learned past and the present episode of one component.
type course struct {
	tick       tick    // sums of the present tick
	curve      curve   // the learned curve
	origin     mix     // requests of the first tick; the features of the curve are differences from these values
	usual      mix     // mean of the requests so far; older ticks lose weight, as in the curve
	recent     mix     // requests of the last ticks
	drift      drift   // mean difference from the curve, for each part of a day
	pastSince  int64   // Unix time at which the first tick of the past began; 0 before the first tick
	ticks      float64 // number of ticks that were learned
	novelTicks float64 // number of ticks that are not learned yet, because their requests differ too much from earlier requests
	last       int64   // Unix time of the end of the last tick that was learned

	// The following fields are about the last tick.
	difference float64 // natural logarithm of the ratio of the latency to the expected latency
	tolerance  float64 // natural logarithm of the largest ratio that does not count as evidence of slowness
	novelty    float64 // natural logarithm of the factor by which the curve may be wrong, because the requests of the past were different; averaged over the last ticks
	novel      bool    // in this tick the curve may be wrong by the square root of ClearTimes or more, because the requests of the past were different
	compared   bool    // the latency was compared with the past

	// The following fields are about the present episode.
	now            float64 // moving average of the field `difference` over the last ticks
	calmSince      int64   // Unix time of the tick since which the component has been as fast as before; 0 while it is slow
	evidence       float64 // evidence at the last tick, in nats
	count          float64 // number of compared ticks since the onset
	excess         float64 // sum of the field `difference` over the compared ticks since the onset
	waited         float64 // total additional wait of the requests since the onset, in the unit of latency
	worst          float64 // greatest value of now since the onset
	anomalous      bool    // the evidence reached HalfShare of the bound for a suspect, and the component is still slow
	suspect        bool    // the evidence reached the bound for a suspect, and the component is still slow
	suspectTicks   int     // number of ticks as a suspect minus number of other ticks, never below 0
	anomalousSince int64   // Unix time of the tick since which the component has been anomalous; 0 while it is not anomalous
	first          finding.Onset
}

// tick holds the sums over the steps of a tick in which a component had requests.
type tick struct {
	steps    float64
	latency  float64 // sum of the natural logarithms of the latency
	requests float64
	work     float64 // sectors
	read     float64 // sectors read
}

// mix describes the requests of a component: their number, their size and the share of reads.
type mix struct {
	load  float64 // natural logarithm of the number of requests in a step
	size  float64 // natural logarithm of the size of a request, in sectors; 0 if unknown
	reads float64 // share of reads; 0 if unknown
}

// mix describes the requests of the tick. If knowsSize is false, the size of requests is unknown.
func (t *tick) mix(knowsSize bool) mix {
	m := mix{load: math.Log(t.requests / t.steps)}
	if t.work > 0 {
		if knowsSize {
			m.size = math.Log(t.work / t.requests)
		}
		m.reads = t.read / t.work
	}
	return m
}

// moveTowards moves an average towards the requests of a tick. The old average has the weight
// `keep`, and the requests of the tick have the weight 1−`keep`.
func (m *mix) moveTowards(now mix, keep float64) {
	m.load = keep*m.load + (1-keep)*now.load
	m.size = keep*m.size + (1-keep)*now.size
	m.reads = keep*m.reads + (1-keep)*now.reads
}

// features computes the features of a tick from its requests (m), the requests of the first tick
// (`origin`), and the Unix time at which the tick ends.
func (m *mix) features(origin *mix, end int64) features {
	more := m.load - origin.load
	sin, cos := math.Sincos(2 * math.Pi * float64(end%daySeconds) / daySeconds)
	return features{constant: 1, load: more, loadSquared: more * more, size: m.size - origin.size, reads: m.reads, dayCos: cos, daySin: sin}
}

// slowness returns the mean of the field `difference` since the onset: the natural logarithm of the
// ratio of the latency to the expected latency.
func (w *course) slowness() float64 { return w.excess / max(w.count, 1) }

// endEpisode forgets the present episode. It keeps the learned past.
func (w *course) endEpisode() {
	w.calmSince, w.evidence, w.count, w.excess, w.waited, w.worst = 0, 0, 0, 0, 0, 0
	w.anomalous, w.suspect, w.suspectTicks, w.anomalousSince, w.first = false, false, 0, 0, finding.Onset{}
}

func (w *course) state(c *state.Codec) {
	w.curve.state(c)
	w.drift.state(c)
	for _, m := range []*mix{&w.origin, &w.usual, &w.recent} {
		for _, f := range []*float64{&m.load, &m.size, &m.reads} {
			c.Float(f)
		}
	}
	for _, f := range []*float64{
		&w.tick.steps, &w.tick.latency, &w.tick.requests, &w.tick.work, &w.tick.read,
		&w.ticks, &w.difference, &w.tolerance, &w.novelty, &w.novelTicks, &w.now, &w.evidence, &w.count, &w.excess, &w.waited, &w.worst,
	} {
		c.Float(f)
	}
	for _, at := range []*int64{&w.pastSince, &w.last, &w.calmSince, &w.anomalousSince} {
		state.Int(c, at)
	}
	state.Int(c, &w.suspectTicks)
	c.Bool(&w.compared)
	c.Bool(&w.novel)
	c.Bool(&w.anomalous)
	c.Bool(&w.suspect)
	w.first.State(c)
}
