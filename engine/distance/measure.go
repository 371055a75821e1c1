package distance

import "slices"

// Sample holds the smoothed values of a peer group over one window.
type Sample struct {
	Values [][]float64 // by member and step; missing where nothing was measured
	Zeros  []float64   // what Values is of every member that was at zero in all steps; nil where each has its own
	Noise  float64     // no bin is narrower
	// Domains partition the members: each is compared with the others of
	// its own only.
	Domains [][]int
}

// rests says whether the values of a member are those of all that were at zero.
func (x *Sample) rests(member int) bool {
	return len(x.Zeros) > 0 && &x.Values[member][0] == &x.Zeros[0]
}

// Measure says how far every member of a sample lies from its peers.
type Measure interface {
	// Score sets score[i] to the score of member i: for measures between
	// pairs the distance that more than half of its peers exceed or reach,
	// for the others a scalar; missing where nothing can be said of it.
	// Bins are those of its histograms, zero where it has none.
	Score(x *Sample, score []float64) Bins
	// Largest is the largest score possible, or +Inf.
	Largest() float64
}

// MaxWinSize is the largest window: its counts fit a byte.
const MaxWinSize = 255

// Names lists the measures that options can name.
func Names() []string { return []string{"cdf", "kl", "median", "thresh", "wasserstein"} }

// New returns the measure of a name, for windows of so many steps and histograms
// of so many bins at most.
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

// resize returns a slice of n elements, whatever they are, in the space of s
// where it is large enough.
func resize[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }

// grow returns a cleared slice of n elements, in the space of s where it is
// large enough.
func grow[E any](s []E, n int) []E {
	s = resize(s, n)
	clear(s)
	return s
}
