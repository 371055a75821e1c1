package onset

import "github.com/limpet-storage/limpet/internal/bounds"

// Options decide which step is the onset.
type Options struct {
	// FewestSteps is the minimum number of steps before a change, and also the minimum number of
	// steps after it. With fewer steps, the start of a load could look like a change.
	FewestSteps int `json:"fewest_steps" least:"1"`
	// CertainDeviance is the deviance above which a change counts as certain. The deviance is twice
	// the difference of two log-likelihoods: the log-likelihood of a series with this change, and
	// the log-likelihood of a series without a change.
	CertainDeviance float64 `json:"certain_deviance"`
}

// DefaultOptions returns the default settings. docs/method.md gives the reason for each value.
func DefaultOptions() Options { return Options{FewestSteps: 10, CertainDeviance: 24} }

// likelyDeviance limits the interval around the most likely change point. The deviance of another
// step measures how much less likely this other step is as the change point. It is twice the
// difference of the two log-likelihoods. A step belongs to the interval if its deviance is at most
// likelyDeviance. If the noise has a normal distribution on both sides of a change, the interval
// contains the true step in 95 % of cases.
const likelyDeviance = 7.7

// beforeShare is used in the second condition for a certain change. The distance from the peers
// before the change must be at most this share of the distance after the change. If the distance
// before was larger, the problem did not begin at this change.
const beforeShare = 0.5

// Validate returns an error that names every setting outside its valid range.
func (o *Options) Validate() error { return bounds.Check(*o) }
