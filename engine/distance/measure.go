package distance

import "slices"

// Sample holds the smoothed values of a peer group over one window.
type Sample struct {
	Values [][]float64 // values by member and step; missing if there is no measurement
	Zeros  []float64   // slice of zeros, shared by all members whose values are zero in all steps; nil if there is no such slice
	Noise  float64     // smallest width of a bin, in the unit of the metric
	// Domains divides the members. Each member is compared only with the other members
	// of its domain.
	Domains [][]int
}

// isZero reports whether the values of a member are the shared zeros.
func (x *Sample) isZero(member int) bool {
	return len(x.Zeros) > 0 && &x.Values[member][0] == &x.Zeros[0]
}

// Measure computes how far every member of a sample lies from its peers.
type Measure interface {
	// Score sets score[i] to the score of member i. A member without a score gets a missing value.
	// If the measure computes distances between two members, the score is the largest number d for
	// which more than half of the peers are at a distance of d or more. Other measures compute the
	// score directly from the values. Score returns the bins of the histograms. A measure without
	// histograms returns an empty Bins.
	Score(x *Sample, score []float64) Bins
	// Largest returns the largest possible score, or +Inf.
	Largest() float64
}

// MaxWinSize is the largest size of a window, in steps. It is 255 so that each count of a histogram
// fits into one byte.
const MaxWinSize = 255

// Names returns the names of the measures.
func Names() []string { return []string{"cdf", "kl", "median", "thresh", "wasserstein"} }

// New returns the measure with the given name, for windows of winSize steps and histograms of at
// most maxBins bins.
func New(name string, winSize, maxBins int) Measure {
	switch name {
	case "kl":
		return &kl{winSize: winSize}
	case "median":
		return &fromMedian{}
	case "thresh":
		return &thresh{}
	case "wasserstein":
		return &wasserstein{}
	}
	return &cdf{winSize: winSize, maxBins: maxBins}
}

// resize returns a slice of n elements whose contents are undefined. It reuses s if s is large
// enough.
func resize[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }

// grow returns a cleared slice of n elements. It reuses s if s is large enough.
func grow[E any](s []E, n int) []E {
	s = resize(s, n)
	clear(s)
	return s
}
