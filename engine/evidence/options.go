package evidence

import (
	"math"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Rungs is how many smallest effects a ladder has.
const Rungs = 3

// Options are the bounds of the sums.
type Options struct {
	// SmallestTimes is how many times slower than its peers a component may be
	// without a word: the lowest rung.
	SmallestTimes float64 `json:"smallest_times" above:"1"`
	// MiddleTimes and LargeTimes are the other rungs.
	MiddleTimes float64 `json:"middle_times"`
	LargeTimes  float64 `json:"large_times"`
	// MostDeviations bounds what one step adds to a sum, in deviations of the
	// group: one step cannot say everything.
	MostDeviations float64 `json:"most_deviations" above:"0"`
	// LeastSpreadNats is the least spread that a group is taken to have.
	LeastSpreadNats float64 `json:"least_spread_nats" above:"0"`
	// SpreadSteps is after how many steps what the spread was counts half.
	SpreadSteps float64 `json:"spread_steps" above:"0"`
	// PhaseSteps is how many steps of a phase the spread over all phases counts as,
	// where a phase has been seen for a short time.
	PhaseSteps float64 `json:"phase_steps" above:"0"`
	// BurstSteps is how long a burst of a healthy member lasts on average, at the
	// least, beyond what has been seen of any.
	BurstSteps float64 `json:"burst_steps" above:"0"`
	// PooledExcursions is how many excursions those of all groups count as beside
	// those of a component's own group.
	PooledExcursions float64 `json:"pooled_excursions" above:"0"`
	// RememberSteps is after how many steps what was learned counts half.
	RememberSteps float64 `json:"remember_steps" above:"0"`
}

// DefaultOptions are settled by reasoning; docs/method.md says why each has its
// value.
func DefaultOptions() Options {
	return Options{
		SmallestTimes: 1.1, MiddleTimes: 1.5, LargeTimes: 3, MostDeviations: 4, LeastSpreadNats: 0.05,
		SpreadSteps: 240, PhaseSteps: 8, BurstSteps: 1.25, PooledExcursions: 50, RememberSteps: 40_320,
	}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(o.MiddleTimes > o.SmallestTimes && o.LargeTimes > o.MiddleTimes,
		"effects of %g, %g and %g times: each has to be above the one before, and the first above 1", o.SmallestTimes, o.MiddleTimes, o.LargeTimes)
	return errs.Join()
}

// rungs are the smallest effects of the ladder, as logarithms.
func (o *Options) rungs() [Rungs]float64 {
	return [Rungs]float64{math.Log(o.SmallestTimes), math.Log(o.MiddleTimes), math.Log(o.LargeTimes)}
}
