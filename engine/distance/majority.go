package distance

import "github.com/limpet-storage/limpet/internal/quantile"

// majority returns the rank, from the largest, of the distance that is a component's
// score among n members. This distance exceeds a threshold exactly if more than half of
// the n−1 distances exceed it. The component's distance from itself, which is the
// smallest, may be among the distances.
func majority(n int) int { return (n-1)/2 + 1 }

// scoreDomain sets the scores of a domain's members from a distance between pairs. It
// returns its scratch space for the next call.
func scoreDomain(scratch []float64, domain []int, score []float64, distance func(i, j int) float64) []float64 {
	for _, i := range domain {
		scratch = scratch[:0]
		for _, j := range domain {
			if j != i {
				scratch = append(scratch, distance(min(i, j), max(i, j)))
			}
		}
		score[i] = quantile.Nth(scratch, len(scratch)-majority(len(domain)))
	}
	return scratch
}
