package past

import (
	"math"

	"github.com/limpet-storage/limpet/internal/state"
)

// The features of a tick, from which a curve computes the expected latency.
const (
	constant    = iota
	load        // natural logarithm of the number of requests in a step, relative to the first tick
	loadSquared // square of load: near the greatest load that a component can serve, requests wait much longer
	size        // natural logarithm of the size of a request, relative to the first tick
	reads       // share of reads, 0 to 1
	dayCos      // cosine and sine of the time of day
	daySin
	numFeatures
)

// features are the features of one tick. If the data do not show a feature, its value is 0.
type features [numFeatures]float64

// priorWeight is the weight of the assumption that a feature has no effect on the latency. A weight
// of n counts as much as n ticks in which the feature is 1. The weight of the constant is nearly 0,
// because nothing is known about the latency before the first tick. The weights of the features
// load, size and reads are small, because their effects may be large: a doubled load may double the
// latency, and a read may take many times as long as a write. The weight of the time of day is the
// number of ticks in a day. So one day of data is not enough to learn the effect of the time of
// day. Otherwise a single event of this day would look like this effect.
var priorWeight = features{constant: 1e-6, load: 0.04, loadSquared: 1, size: 0.04, reads: 0.01, dayCos: daySeconds / TickSeconds, daySin: daySeconds / TickSeconds}

// curve computes the expected logarithm of the latency of a component, as a linear function of
// features. It is the weighted least-squares fit to all ticks so far. A tick loses weight with its
// age.
type curve struct {
	products [numFeatures * (numFeatures + 1) / 2]float64 // sums of products of two features: the lower triangle of a symmetric matrix, row by row
	moments  features                                     // sums of products of a feature and the latency
}

// learn adds a tick to the fit. The parameter `latency` is the logarithm of the latency in the
// tick. Earlier ticks keep the share `keep` of their weight.
func (k *curve) learn(x *features, latency, weight, keep float64) {
	at := 0
	for i := range x {
		for j := range i + 1 {
			k.products[at] = keep*k.products[at] + weight*x[i]*x[j]
			at++
		}
		k.moments[i] = keep*k.moments[i] + weight*x[i]*latency
	}
}

// predict returns the expected logarithm of the latency for the given features. It also returns the
// variance of this value, as a multiple of the variance of a tick. The variance is large for
// features that no earlier tick had.
//
// The method solves the equations of the fit by a Cholesky decomposition. This is possible because
// the prior weights make the matrix positive definite.
func (k *curve) predict(x *features) (latency, variance float64) {
	var lower [numFeatures][numFeatures]float64
	var half, fit features // half solves lower·half = x, and fit solves lower·fit = moments
	at := 0
	for i := range x {
		for j := range i + 1 {
			sum := k.products[at]
			at++
			if i == j {
				sum += priorWeight[i]
			}
			for n := range j {
				sum -= lower[i][n] * lower[j][n]
			}
			if i == j {
				lower[i][i] = math.Sqrt(max(sum, tiny))
			} else {
				lower[i][j] = sum / lower[j][j]
			}
		}
		a, b := x[i], k.moments[i]
		for n := range i {
			a -= lower[i][n] * half[n]
			b -= lower[i][n] * fit[n]
		}
		half[i], fit[i] = a/lower[i][i], b/lower[i][i]
		latency += half[i] * fit[i]
		variance += half[i] * half[i]
	}
	return latency, variance
}

// tiny replaces a pivot of the decomposition if rounding has made this pivot zero or negative.
const tiny = 1e-12

func (k *curve) state(c *state.Codec) {
	for i := range k.products {
		c.Float(&k.products[i])
	}
	for i := range k.moments {
		c.Float(&k.moments[i])
	}
}
