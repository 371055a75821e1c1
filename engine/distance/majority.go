package distance

import "github.com/limpet-storage/limpet/internal/quantile"

// majority is the place, from the largest, of the distance that is a component's
// score among n peers: it exceeds a threshold exactly where more than half
// of the n−1 distances do. Its distance from itself, which is the least, may
// stand among them.
func majority(n int) int { return (n-1)/2 + 1 }

// scoreDomain sets the scores of a domain's members from a distance between
// pairs. It returns its scratch space for the next call.
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
