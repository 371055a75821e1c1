package onset

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the bounds for a change point.
type Options struct {
	// FewestSteps is the least number of steps on each side of a change: fewer steps may
	// only be the beginning of a load.
	FewestSteps int `json:"fewest_steps" least:"1"`
	// LikelyDeviance is the greatest deviance at which a step still counts as a possible
	// change point. A deviance is twice the difference of two log-likelihoods.
	LikelyDeviance float64 `json:"likely_deviance"`
	// CertainDeviance is the least deviance of "no change" for a change to be certain.
	CertainDeviance float64 `json:"certain_deviance"`
	// BeforeRatio is the greatest distance from the peers before a change, as a share of
	// the distance after it.
	BeforeRatio float64 `json:"before_ratio"`
}

// DefaultOptions returns bounds whose interval holds the true step in 95 % of cases, for
// normal noise.
func DefaultOptions() Options {
	return Options{FewestSteps: 10, LikelyDeviance: 7.7, CertainDeviance: 24, BeforeRatio: 0.5}
}

// Validate returns an error that names every setting outside its bounds.
func (o *Options) Validate() error { return bounds.Check(*o) }
