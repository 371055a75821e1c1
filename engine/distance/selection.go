package distance

import (
	"slices"

	"github.com/limpet-storage/limpet/internal/quantile"
)

// selection finds the m-th largest of many distances. A sample of the distances gives two values
// between which the m-th largest distance probably lies. A loop without branches copies only the
// distances between these two values.
type selection struct{ kept []float64 }

// A row is the list of distances of one member. The median of a sample of 64 values has a standard
// error of four ranks of the sample. The margin is two standard errors, eight ranks on each side,
// so about a quarter of the row is kept. In about 5 % of the rows, the m-th largest distance is
// outside the margin. Then the whole row is searched. Rows shorter than shortRow are always
// searched as a whole.
const (
	sampled  = 64
	margin   = 8
	shortRow = 4 * sampled
)

// Largest returns the m-th largest distance, 1 ≤ m ≤ len(distances). It may reorder the
// distances.
func (s *selection) Largest(distances []float64, m int) float64 {
	k := len(distances) - m
	if len(distances) < shortRow {
		return quantile.Nth(distances, k)
	}
	low, high := bracket(distances, k)
	below, kept := s.copyBetween(distances, low, high)
	if k < below || k >= below+len(kept) {
		return quantile.Nth(distances, k)
	}
	return quantile.Nth(kept, k-below)
}

// bracket returns two values between which the k-th smallest value of a row probably lies. It takes
// them from a sample of the row.
func bracket(row []float64, k int) (low, high float64) {
	var sample [sampled]float64
	for i := range sample {
		sample[i] = row[i*len(row)/sampled]
	}
	at := k * sampled / len(row)
	from, to := max(at-margin, 0), min(at+margin, sampled-1)
	return quantile.Nth(sample[:], from), quantile.Nth(sample[from:], to-from)
}

// copyBetween copies the distances that are at least `low` and at most `high`. It counts the
// distances below `low`.
func (s *selection) copyBetween(distances []float64, low, high float64) (below int, kept []float64) {
	s.kept = slices.Grow(s.kept[:0], len(distances))[:len(distances)]
	upTo := 0
	for _, d := range distances {
		s.kept[upTo-below] = d
		below += toInt(d < low)
		upTo += toInt(d <= high)
	}
	return below, s.kept[:upTo-below]
}

func toInt(is bool) int {
	n := 0
	if is {
		n = 1
	}
	return n
}
