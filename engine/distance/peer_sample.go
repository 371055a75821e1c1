package distance

import (
	"math/rand/v2"
	"slices"

	"github.com/limpet-storage/limpet/engine/distance/internal/sad"
)

// Comparing all pairs of a hundred thousand members takes minutes per window. So the members of a
// large domain are compared only with a random sample of peers. A score is close to the median of
// the distances from all peers. The median of the distances from the sample is a good estimate of
// that median. With a sample of 4,096 peers, between 45 % and 55 % of all peers are farther away
// than the estimate. The probability that fewer or more peers are farther away is 2.6e-9 for each
// component and window (Hoeffding's inequality: 2·exp(−2·4096·0.05²)). Every member is compared
// with the sample, so that every member gets a score.

// maxCompared is the largest number of peers with which a member is compared. It equals maxMatrix,
// the largest number of kinds for which all distances are kept. So the scores of smaller groups are
// exact.
const maxCompared = maxMatrix

// peerSample draws peers at random. For the same domain it always draws the same peers.
type peerSample struct {
	limit   int // number of peers to draw; 0 means maxCompared
	members []int
}

func (d *peerSample) size() int {
	if d.limit > 0 {
		return d.limit
	}
	return maxCompared
}

// draw chooses members of a domain at random, without replacement.
func (d *peerSample) draw(domain []int) []int {
	d.members = append(d.members[:0], domain...)
	n := uint64(len(domain))
	rng := rand.New(rand.NewPCG(n, n))
	for i := range d.size() {
		j := i + rng.IntN(len(d.members)-i)
		d.members[i], d.members[j] = d.members[j], d.members[i]
	}
	d.members = d.members[:d.size()]
	slices.Sort(d.members) // sorted, so that the rows are read in the order in which they lie in memory
	return d.members
}

// scoreSampled compares each kind with a sample of peers. A kind is a set of members with equal
// histograms.
func (m *cdf) scoreSampled(domain []int, stride int, score []float64) {
	peers := m.sample.draw(domain)
	m.compared = m.compared[:0]
	for _, i := range peers {
		m.compared = append(m.compared, m.rows[i*stride:][:stride]...)
	}
	m.scores, m.fromOne = resize(m.scores, len(m.kinds.first)), resize(m.fromOne, len(peers))
	for kind, i := range m.kinds.first {
		own := m.rows[i*stride:][:stride]
		for j := range peers {
			m.fromOne[j] = sad.Sum(own, m.compared[j*stride:][:stride])
		}
		m.scores[kind] = float64(sad.Select(m.fromOne, majorityRank(len(peers)))) / float64(m.winSize)
	}
	for at, i := range domain {
		score[i] = m.scores[m.kinds.kindOf[at]]
	}
}
