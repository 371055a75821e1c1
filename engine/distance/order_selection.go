package distance

import (
	"slices"

	"github.com/limpet-storage/limpet/internal/quantile"
)

// selection finds the m-th largest of many distances: a sample of them says
// between which two values it probably lies, and a pass without branches to
// mispredict keeps those that do.
type selection struct{ kept []float64 }

// The middle of a sample of 64 is off the row's by four places, one standard
// deviation. With twice that to either side a quarter of the row is kept, and
// one row in twenty is searched as a whole after all. So are rows that are
// too short to gain by it.
const (
	sampled  = 64
	margin   = 8
	shortRow = 4 * sampled
)

// Largest returns the m-th largest distance, 1 ≤ m ≤ len(distances). It may
// reorder them.
func (s *selection) Largest(distances []float64, m int) float64 {
	k := len(distances) - m
	if len(distances) < shortRow {
		return quantile.Nth(distances, k)
	}
	low, high := bracket(distances, k)
	below, kept := s.keep(distances, low, high)
	if k < below || k >= below+len(kept) {
		return quantile.Nth(distances, k)
	}
	return quantile.Nth(kept, k-below)
}

// bracket gives two values that the k-th smallest of row probably lies
// between.
func bracket(row []float64, k int) (low, high float64) {
	var sample [sampled]float64
	for i := range sample {
		sample[i] = row[i*len(row)/sampled]
	}
	at := k * sampled / len(row)
	from, to := max(at-margin, 0), min(at+margin, sampled-1)
	return quantile.Nth(sample[:], from), quantile.Nth(sample[from:], to-from)
}

// keep copies what lies from low to high, and counts what lies below.
func (s *selection) keep(distances []float64, low, high float64) (below int, kept []float64) {
	s.kept = slices.Grow(s.kept[:0], len(distances))[:len(distances)]
	upTo := 0
	for _, d := range distances {
		s.kept[upTo-below] = d
		below += one(d < low)
		upTo += one(d <= high)
	}
	return below, s.kept[:upTo-below]
}

func one(is bool) int {
	n := 0
	if is {
		n = 1
	}
	return n
}
