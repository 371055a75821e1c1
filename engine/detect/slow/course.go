package slow

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// course holds the averages of one component, and its sums since the onset of its current episode.
// An episode is the time from the onset of a component's slowness until the component has been like
// its peers for RecoverSeconds. At each tick (criteria.Options.TickSteps) the detector decides
// whether the component is anomalous, and whether it is a suspect.
type course struct {
	work         float64 // throughput, averaged over about a minute
	rate         float64 // requests in a step, averaged over about a minute
	now          float64 // logarithm of the ratio of its latency to its peers' latency, averaged over minutes
	steady       float64 // the same logarithm, averaged over hours
	lastCompared int64   // Unix time of the end of the last step in which it was compared
	calmSince    int64   // Unix time of the tick since which it has been like its peers; 0 while it is slow
	minute       minute  // sums of the present minute

	steps       float64    // number of steps since the onset in which it was compared
	excess      float64    // sum of the logarithm of the ratio to its peers, over all compared steps since the onset
	lightSteps  float64    // number of compared steps since the onset in which its peers had little work
	lightExcess float64    // sum of log(latency / latency of the peers) over the steps that lightSteps counts
	waited      float64    // total additional wait of its requests, compared with its peers, in the unit of latency
	worst       float64    // largest value of course.now since the onset
	upkeepSteps float64    // number of compared steps since the onset in which its array was known to rebuild or check itself
	upkeep      table.Work // kind of the last rebuild or check of its array

	firstOnset   finding.Onset // onset that was computed when the component first became anomalous; zero as long as it has never been anomalous
	evidence     float64       // evidence at the last tick, in nats
	anomalous    bool          // at the last tick: its evidence reached HalfShare of the bound for a suspect, and it was still slow
	suspect      bool          // at the last tick: its evidence reached the bound for a suspect, and it was still slow
	suspectTicks int           // number of ticks as a suspect minus number of other ticks, never below 0
	compared     bool          // it was compared since the last tick
}

// sample has the values of a component in one step.
type sample struct {
	excess     float64 // logarithm of the ratio of its latency to its peers' latency, without the part that its load explains
	light      bool    // the peers have little work
	own, peers float64 // latencies
	requests   float64
	upkeep     table.Work // rebuild or check of its array in this step
}

// noteLoad adds the load of a step to the averages of throughput and requests. The parameter `keep`
// is the weight of the old averages. noteLoad reports whether both averages are zero.
func (w *course) noteLoad(work, requests, keep float64) (rests bool) {
	w.work, w.rate = keep*w.work+(1-keep)*work, keep*w.rate+(1-keep)*requests
	return w.work == 0 && w.rate == 0
}

// updateAverages adds a step to the average over minutes (field `now`) and to the average over
// hours (field `steady`). The step ends at the Unix time `end`. The parameters `keep` and
// `keepSteady` are the weights of the old averages.
func (w *course) updateAverages(excess float64, end int64, keep, keepSteady float64) {
	w.steady = keepSteady*w.steady + (1-keepSteady)*excess
	w.now, w.lastCompared, w.compared = keep*w.now+(1-keep)*excess, end, true
	w.worst = max(w.worst, w.now)
}

// reachedShare returns the share of a component's slowness that the average over minutes (field
// `now`) already shows. It assumes that the slowness has been constant since the onset. Soon after
// the onset the share is below 1, because the average still contains earlier steps.
func (w *course) reachedShare(keep float64) float64 { return 1 - math.Pow(keep, w.steps) }

// add adds the values of one step to the sums since the onset.
func (w *course) add(s *sample) {
	w.steps++
	w.excess += s.excess
	if s.light {
		w.lightSteps++
		w.lightExcess += s.excess
	}
	w.waited += s.requests * max(s.own-s.peers, 0)
	if s.upkeep != table.NoWork {
		w.upkeepSteps++
		w.upkeep = s.upkeep
	}
}

// isUpkeep reports whether the array rebuilt or checked itself in at least half of the
// steps since the onset.
func (w *course) isUpkeep() bool { return w.upkeepSteps > 0 && 2*w.upkeepSteps >= w.steps }

// role returns finding.IsSlow, or another role if a rebuild or check of the array may explain the
// slowness (isUpkeep).
func (w *course) role() finding.Role {
	if !w.isUpkeep() {
		return finding.IsSlow
	}
	return [...]finding.Role{table.Rebuilding: finding.Rebuilds, table.Checking: finding.Checked}[w.upkeep]
}

// reset ends the episode: it clears the sums since the onset, and keeps the averages.
func (w *course) reset() {
	*w = course{work: w.work, rate: w.rate, now: w.now, steady: w.steady, lastCompared: w.lastCompared, minute: w.minute, compared: w.compared}
}

// slowness returns the mean, since the onset, of the logarithm of the ratio to the peers.
func (w *course) slowness() float64 { return w.excess / max(w.steps, 1) }

// serviceRatio returns the ratio of the component's service time to its peers' service time, since
// the onset. It uses only steps in which the peers have little work, because requests then hardly
// wait for each other. The second result is false if there are fewer than `fewest` such steps.
func (w *course) serviceRatio(fewest float64) (times float64, known bool) {
	return math.Exp(w.lightExcess / max(w.lightSteps, 1)), w.lightSteps >= fewest
}

// costSteps returns the cost of the slowness since the onset: n·(r/discount − 1), where n is the
// number of steps and r is the mean ratio to the peers. For example, if `discount` is 1, ten steps
// at twice the latency of the peers have a cost of ten steps.
func (w *course) costSteps(discount float64) float64 {
	return w.steps * max(math.Exp(w.slowness())/discount-1, 0)
}

func (w *course) state(c *state.Codec) {
	for _, f := range []*float64{
		&w.work, &w.rate, &w.now, &w.steady, &w.steps, &w.excess, &w.lightSteps, &w.lightExcess, &w.waited, &w.worst, &w.upkeepSteps, &w.evidence,
	} {
		c.Float(f)
	}
	state.Int(c, &w.lastCompared)
	state.Int(c, &w.calmSince)
	w.minute.state(c)
	state.Uint(c, &w.upkeep)
	w.firstOnset.State(c)
	c.Bool(&w.anomalous)
	c.Bool(&w.suspect)
	state.Int(c, &w.suspectTicks)
	c.Bool(&w.compared)
}
