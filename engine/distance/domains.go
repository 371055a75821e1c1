package distance

import "math/rand/v2"

// Domains divides the numbers from 0 to n−1, which stand for the members of a group, into domains.
// A domain has at least `size` members, and fewer than twice `size`. The division is different in
// every window, so that slow members are the majority of a domain only for a short time (F10
// §11.1). The division depends only on the four parameters. If `size` is 0, or `n` is too small for
// two domains, there is one domain with all members.
func Domains(n, size int, seed, window uint64) [][]int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if size == 0 || n < 2*size {
		return [][]int{order}
	}
	rng := rand.New(rand.NewPCG(seed, window))
	rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	parts := make([][]int, n/size)
	for i := range parts {
		parts[i] = order[i*n/len(parts) : (i+1)*n/len(parts)]
	}
	return parts
}
