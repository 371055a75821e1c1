package evidence

import (
	"math"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Rungs is the number of rungs. A rung is a smallest effect, and each rung has its own sum.
const Rungs = 3

// Options are the settings of the sums.
type Options struct {
	// SmallestTimes is the lowest rung: a component whose ratio to its peers is smaller
	// is not reported.
	SmallestTimes float64 `json:"smallest_times" above:"1"`
	// MiddleTimes and LargeTimes are the other rungs.
	MiddleTimes float64 `json:"middle_times"`
	LargeTimes  float64 `json:"large_times"`
	// MostDeviations is the greatest amount that one step adds to a sum, in standard
	// deviations of the group. So no single step can decide.
	MostDeviations float64 `json:"most_deviations" above:"0"`
	// LeastSpread is the least standard deviation of a group, in nats: the values of a
	// group are natural logarithms of ratios.
	LeastSpread float64 `json:"least_spread_nats" above:"0"`
	// SpreadSteps is a number of steps. After SpreadSteps steps, the noise of a step has
	// half of its weight in the spread of the group.
	SpreadSteps float64 `json:"spread_steps" above:"0"`
	// PhaseSteps is a weight in steps. With this weight, the spread over all phases contributes to
	// the spread of one phase. This contribution matters only while few steps of the phase are
	// known.
	PhaseSteps float64 `json:"phase_steps" above:"0"`
	// BurstSteps is the least mean length of a burst, in steps. A burst is a short time in which a
	// healthy member is slow. The greater BurstSteps is, the less evidence a high sum gives.
	BurstSteps float64 `json:"burst_steps" above:"0"`
	// PooledExcursions is a weight. The excursions of all groups together count as at
	// most this number of excursions, in addition to the excursions of the component's
	// own group.
	PooledExcursions float64 `json:"pooled_excursions" above:"0"`
	// RememberSteps is a number of steps. After RememberSteps steps, a learned excursion
	// has half of its weight.
	RememberSteps float64 `json:"remember_steps" above:"0"`
}

// DefaultOptions returns the default settings. docs/method.md gives the reason for each
// value.
func DefaultOptions() Options {
	return Options{
		SmallestTimes: 1.1, MiddleTimes: 1.5, LargeTimes: 3, MostDeviations: 4, LeastSpread: 0.05,
		SpreadSteps: 240, PhaseSteps: 8, BurstSteps: 1.25, PooledExcursions: 50, RememberSteps: 40_320,
	}
}

// Validate returns an error that names every setting outside its bounds.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(o.MiddleTimes > o.SmallestTimes && o.LargeTimes > o.MiddleTimes,
		"effects of %g, %g and %g times: each has to be above the one before, and the first above 1", o.SmallestTimes, o.MiddleTimes, o.LargeTimes)
	return errs.Join()
}

// rungs returns the logarithms of the smallest effects, lowest first.
func (o *Options) rungs() [Rungs]float64 {
	return [Rungs]float64{math.Log(o.SmallestTimes), math.Log(o.MiddleTimes), math.Log(o.LargeTimes)}
}
