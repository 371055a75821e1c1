package distance

import "github.com/limpet-storage/limpet/internal/quantile"

// majorityRank returns the rank of the distance that is the score of a component. In a domain of n
// members, the component has n−1 distances from the other members, and rank 1 is the largest
// distance. The score exceeds a threshold if and only if more than half of the n−1 distances exceed
// the threshold. The list of distances may also contain the distance of the component from itself:
// this distance is the smallest and does not change the score.
func majorityRank(n int) int { return (n-1)/2 + 1 }

// scoreDomain sets the score of each member of a domain from its distances to the other members:
// distance(i, j) is the distance between two members. scoreDomain returns its working memory, and
// the caller should pass this memory as `scratch` in the next call.
func scoreDomain(scratch []float64, domain []int, score []float64, distance func(i, j int) float64) []float64 {
	for _, i := range domain {
		scratch = scratch[:0]
		for _, j := range domain {
			if j != i {
				scratch = append(scratch, distance(min(i, j), max(i, j)))
			}
		}
		score[i] = quantile.Nth(scratch, len(scratch)-majorityRank(len(domain)))
	}
	return scratch
}
