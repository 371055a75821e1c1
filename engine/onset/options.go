package onset

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds of a change point.
type Options struct {
	// FewestSteps are needed on either side of a change: fewer may be how a
	// load begins.
	FewestSteps int `json:"fewest_steps" least:"1"`
	// LikelyDeviance is how much less likely another step may be to be shown
	// as possible. A deviance is twice the difference of two log-likelihoods.
	LikelyDeviance float64 `json:"likely_deviance"`
	// CertainDeviance is how much less likely it has to be that there is no
	// change at all.
	CertainDeviance float64 `json:"certain_deviance"`
	// BeforeRatio is how far from its peers a component may have been before,
	// against how far it is afterwards.
	BeforeRatio float64 `json:"before_ratio"`
}

// DefaultOptions take an interval that holds the true step nineteen times in
// twenty where the deviations are normal.
func DefaultOptions() Options {
	return Options{FewestSteps: 10, LikelyDeviance: 7.7, CertainDeviance: 24, BeforeRatio: 0.5}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error { return bounds.Check(*o) }
