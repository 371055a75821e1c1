package distance

import (
	"math"
)

// kl is the symmetric Kullback–Leibler divergence between the histograms of two members. Missing
// values are left out (F10 §10.1).
//
// The distributions of all members of a domain are stored bin by bin. So one pass over all bins
// gives the divergences of one member from all other members. Each pair is computed twice. To keep
// the first result of a pair would not be faster, because this needs a matrix of 32 MB for two
// thousand servers.
type kl struct {
	winSize   int
	pool      []float64
	p, logp   []float64 // probabilities and their logarithms, by bin and member of the domain
	distances []float64
	selection selection
}

// pseudoCount is added to every bin's count, so that the logarithm of an empty bin is finite.
const pseudoCount = 0.5

// Largest returns the largest divergence that two components can have. It occurs if all values of
// each component are in one bin, and the two bins are different.
func (m *kl) Largest() float64 {
	bins := float64(sturges(nil, m.winSize).Count)
	full, empty := float64(m.winSize)+pseudoCount, pseudoCount
	return (full - empty) / (full + (bins-1)*empty) * math.Log(full/empty)
}

func (m *kl) Score(x *Sample, score []float64) Bins {
	m.pool = m.pool[:0]
	for _, values := range x.Values {
		m.pool = AppendPresent(m.pool, values)
	}
	bins := sturges(m.pool, m.winSize)
	for _, domain := range x.Domains {
		m.scoreDomain(x, domain, bins, score)
	}
	return bins
}

func (m *kl) scoreDomain(x *Sample, domain []int, bins Bins, score []float64) {
	n := len(domain)
	m.p, m.logp = grow(m.p, bins.Count*n), grow(m.logp, bins.Count*n)
	m.distances = grow(m.distances, n)
	for at, i := range domain {
		m.distribution(at, n, x.Values[i], bins)
	}
	for at, i := range domain {
		m.distancesFrom(at, n)
		score[i] = m.selection.Largest(m.distances, majorityRank(n)) / 2
	}
}

// distribution computes the distribution of the values of one member. The domain has n members, and
// `at` is the index of this member.
func (m *kl) distribution(at, n int, values []float64, bins Bins) {
	total := pseudoCount * float64(bins.Count)
	for _, v := range values {
		if v == v {
			m.p[bins.binOf(v)*n+at]++
			total++
		}
	}
	for b := at; b < len(m.p); b += n {
		m.p[b] = (m.p[b] + pseudoCount) / total
		m.logp[b] = math.Log(m.p[b])
	}
}

// distancesFrom computes the distances between one member, with index `at`, and all n members of
// the domain, itself included. A distance is D(P‖Q)+D(Q‖P) = Σ(p−q)(ln p − ln q). P and Q are the
// distributions of the two members, p and q are their probabilities of a bin, and the sum is over
// all bins.
func (m *kl) distancesFrom(at, n int) {
	d := m.distances[:n]
	clear(d)
	for b := 0; b < len(m.p); b += n {
		q, logq := m.p[b:][:n], m.logp[b:][:n]
		p, logp := q[at], logq[at]
		for j := range d {
			d[j] += (p - q[j]) * (logp - logq[j])
		}
	}
}
