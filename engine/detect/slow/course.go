package slow

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// course is how the latency of one component went since it began to differ from
// its peers.
type course struct {
	work    float64 // its throughput over the last minute or so
	rate    float64 // and its requests in a step
	now     float64 // excess over the last minutes, as a logarithm
	steady  float64 // and over the last hours
	counted int64   // end of the last step with a value
	calm    int64   // since when it has been like its peers; 0 while it is not

	steps       float64    // since the onset, with a value
	excess      float64    // sum of the logarithms of how many times slower
	light       float64    // steps in which its peers had little to do
	lightExcess float64    // sum of the logarithms over these
	waited      float64    // for which requests waited longer than at its peers, in the unit of latency
	worst       float64    // the most that now was
	kept        float64    // steps in which its array was known to rebuild or to check itself
	upkeep      table.Work // and what it did last

	dated    finding.Onset // when it was odd for the first time: when it began; all zero before
	nats     float64       // evidence, at the last tick
	odd      bool          // at the last tick: it may be slow
	suspect  bool          // at the last tick
	ticks    int           // in which it was suspect, less those in which it was not
	isJudged bool          // since the last tick
}

// sample is one step of a component, after what explains it.
type sample struct {
	excess     float64 // logarithm of how many times slower than its peers
	light      bool    // the peers have little to do
	own, peers float64 // latencies
	requests   float64
	upkeep     table.Work // of its array
}

// noteLoad takes what a component had to do in a step, and says whether that is nothing.
func (w *course) noteLoad(work, requests, keep float64) (rests bool) {
	w.work, w.rate = keep*w.work+(1-keep)*work, keep*w.rate+(1-keep)*requests
	return w.work == 0 && w.rate == 0
}

// recent adds a step to the averages of the last minutes and hours.
func (w *course) recent(excess float64, end int64, keep, keepSteady float64) {
	w.steady = keepSteady*w.steady + (1-keepSteady)*excess
	w.now, w.counted, w.isJudged = keep*w.now+(1-keep)*excess, end, true
	w.worst = max(w.worst, w.now)
}

// add adds a step to the sums since the onset.
func (w *course) add(s *sample) {
	w.steps++
	w.excess += s.excess
	if s.light {
		w.light++
		w.lightExcess += s.excess
	}
	w.waited += s.requests * max(s.own-s.peers, 0)
	if s.upkeep != table.NoWork {
		w.kept++
		w.upkeep = s.upkeep
	}
}

// isUpkeep says whether the array was at work on itself for most of the time since
// the onset.
func (w *course) isUpkeep() bool { return w.kept > 0 && 2*w.kept >= w.steps }

// role is the part of the component.
func (w *course) role() finding.Role {
	if !w.isUpkeep() {
		return finding.IsSlow
	}
	return [...]finding.Role{table.Rebuilding: finding.Rebuilds, table.Checking: finding.Checked}[w.upkeep]
}

// reset forgets what was odd.
func (w *course) reset() {
	*w = course{work: w.work, rate: w.rate, now: w.now, steady: w.steady, counted: w.counted, isJudged: w.isJudged}
}

// slowness is the mean logarithm of how many times slower it is.
func (w *course) slowness() float64 { return w.excess / max(w.steps, 1) }

// service is how many times longer the component works on a request, as the steps
// show in which requests hardly wait for each other; false where too few do.
func (w *course) service(fewest float64) (times float64, known bool) {
	return math.Exp(w.lightExcess / max(w.light, 1)), w.light >= fewest
}

// costSteps is how many steps' worth of its peers' waiting the component has
// cost: how many times slower, less one, times how long.
func (w *course) costSteps(discount float64) float64 {
	return w.steps * max(math.Exp(w.slowness())/discount-1, 0)
}

func (w *course) state(c *state.Codec) {
	for _, f := range []*float64{
		&w.work, &w.rate, &w.now, &w.steady, &w.steps, &w.excess, &w.light, &w.lightExcess, &w.waited, &w.worst, &w.kept, &w.nats,
	} {
		c.Float(f)
	}
	state.Int(c, &w.counted)
	state.Int(c, &w.calm)
	state.Uint(c, &w.upkeep)
	w.dated.State(c)
	c.Bool(&w.odd)
	c.Bool(&w.suspect)
	state.Int(c, &w.ticks)
	c.Bool(&w.isJudged)
}
