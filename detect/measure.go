package detect

// Sample holds the smoothed values of a peer group over one window.
type Sample struct {
	Values [][]float64 // by member and step; missing where nothing was measured
	Noise  float64     // no bin is narrower
	// Domains partition the members: each is compared with the others of
	// its own only.
	Domains [][]int
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

// Measures lists the measures that there are.
func Measures() []string { return []string{"cdf", "kl", "median", "thresh", "wasserstein"} }

// newMeasure returns the measure that valid options name.
func newMeasure(o *Options) Measure {
	switch o.Measure {
	case "kl":
		return &kl{winSize: o.WinSize}
	case "median":
		return &fromMedian{}
	case "thresh":
		return &thresh{}
	case "wasserstein":
		return &wasserstein{}
	}
	return &cdf{winSize: o.WinSize, maxBins: o.MaxBins}
}
