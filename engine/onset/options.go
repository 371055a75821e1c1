package onset

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the bounds for a change point.
type Options struct {
	// FewestSteps is the least number of steps on each side of a change: with fewer
	// steps, the change may be only the beginning of a load.
	FewestSteps int `json:"fewest_steps" least:"1"`
	// LikelyDeviance is the greatest deviance at which a step still counts as a possible
	// change point. A deviance is twice the difference of two log-likelihoods.
	LikelyDeviance float64 `json:"likely_deviance"`
	// CertainDeviance is a condition for a certain change: the deviance of "no change" must be
	// greater than CertainDeviance.
	CertainDeviance float64 `json:"certain_deviance"`
	// BeforeRatio is a second condition for a certain change: the distance from the peers before
	// the change must be at most this share of the distance after the change.
	BeforeRatio float64 `json:"before_ratio"`
}

// DefaultOptions returns the default bounds. If the noise has a normal distribution, the
// interval of the onset contains the true step in 95 % of cases.
func DefaultOptions() Options {
	return Options{FewestSteps: 10, LikelyDeviance: 7.7, CertainDeviance: 24, BeforeRatio: 0.5}
}

// Validate returns an error that names every setting outside its bounds.
func (o *Options) Validate() error { return bounds.Check(*o) }
