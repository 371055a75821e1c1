package distance

import (
	"math"
	"slices"
)

// wasserstein is the area between two empirical distribution functions. It is the CDF distance
// without bins (F10 footnote 4). A component without values has no distribution, and its distance
// from every other component is 0.
type wasserstein struct {
	sorted    [][]float64
	distances []float64
}

func (m *wasserstein) Largest() float64 { return math.Inf(1) }

func (m *wasserstein) Score(x *Sample, score []float64) Bins {
	for len(m.sorted) < len(x.Values) {
		m.sorted = append(m.sorted, nil)
	}
	for i, values := range x.Values {
		m.sorted[i] = AppendPresent(m.sorted[i][:0], values)
		slices.Sort(m.sorted[i])
	}
	for _, domain := range x.Domains {
		m.distances = scoreDomain(m.distances, domain, score, func(i, j int) float64 { return area(m.sorted[i], m.sorted[j]) })
	}
	return Bins{}
}

// area returns the area between the distribution functions of two sorted lists of values. If the
// lists have equal length, the area is the mean of |x[i]−y[i]|. Otherwise area computes this mean
// as if each value were repeated until both lists had equal length.
func area(x, y []float64) float64 {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	sum := 0.0
	total := len(x) * len(y)
	for at := 0; at < total; {
		i, j := at/len(y), at/len(x)
		next := min((i+1)*len(y), (j+1)*len(x))
		sum += float64(next-at) * math.Abs(x[i]-y[j])
		at = next
	}
	return sum / float64(total)
}
