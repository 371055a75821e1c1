package onset

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the bounds for a change point.
type Options struct {
	// FewestSteps is the minimum number of steps on each side of a change. With fewer steps, the
	// change may be only the beginning of a load.
	FewestSteps int `json:"fewest_steps" least:"1"`
	// CertainDeviance is a condition for a certain change: the deviance of "no change" must be
	// greater than CertainDeviance. A deviance is twice the difference of two log-likelihoods.
	CertainDeviance float64 `json:"certain_deviance"`
}

// DefaultOptions returns the default bounds. docs/method.md gives the reason for each value.
func DefaultOptions() Options { return Options{FewestSteps: 10, CertainDeviance: 24} }

// likelyDeviance is the greatest deviance at which a step still counts as a possible change point.
// If the noise has a normal distribution on both sides of a change, the interval of these steps
// contains the true step in 95 % of cases.
const likelyDeviance = 7.7

// beforeShare is a second condition for a certain change: the distance from the peers before the
// change must be at most this share of the distance after the change. If the distance before was more
// than half of the distance after, the problem did not begin at this change.
const beforeShare = 0.5

// Validate returns an error that names every setting outside its bounds.
func (o *Options) Validate() error { return bounds.Check(*o) }
