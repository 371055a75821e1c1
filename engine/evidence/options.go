package evidence

import (
	"math"

	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Rungs is the number of rungs. A rung is the smallest effect that one sum detects, and each rung
// has its own sum.
const Rungs = 3

// Options are the settings that concern only this package.
type Options struct {
	// BurstSteps is a lower bound for the mean length of a burst, in steps. A burst is a short time
	// in which a healthy member is slow. The greater BurstSteps is, the less evidence a high sum
	// gives.
	BurstSteps float64 `json:"burst_steps" above:"1"`
	// PooledExcursions is the greatest weight of the excursions of all groups together: they count
	// as at most this number of excursions. An excursion is a time in which the sum of a healthy
	// component is above zero. Excursions show how high sums climb by chance. The evidence against
	// a component uses the excursions of its own group, which count in full, and the excursions of
	// all groups.
	PooledExcursions float64 `json:"pooled_excursions" above:"0"`
}

// DefaultOptions returns the default settings. docs/method.md gives the reason for each
// value.
func DefaultOptions() Options { return Options{BurstSteps: 1.15, PooledExcursions: 50} }

// Validate returns an error that names every setting outside its valid range.
func (o *Options) Validate() error { return bounds.Check(*o) }

// rungsOf returns the logarithms of the three smallest effects, lowest first: SmallestTimes,
// ClearTimes and LargeTimes. ClearTimes counts as at least rungTimes·SmallestTimes, and LargeTimes
// as at least rungTimes²·SmallestTimes.
func rungsOf(c *criteria.Options) [Rungs]float64 {
	smallest := c.SmallestTimes
	return [Rungs]float64{
		math.Log(smallest), math.Log(max(c.ClearTimes, rungTimes*smallest)), math.Log(max(c.LargeTimes, rungTimes*rungTimes*smallest)),
	}
}

// rungTimes keeps the rungs apart (rungsOf). A rung is the smallest effect that a sum detects.
const rungTimes = 1.3

// phaseTicks is the weight of the spread over all phases. It is used to compute the spread of one
// phase (Phases). Its unit is ticks of criteria.Options.TickSteps steps. This weight matters only
// while few steps of the phase are known.
const phaseTicks = 2
