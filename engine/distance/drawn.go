package distance

import (
	"math/rand/v2"
	"slices"

	"github.com/limpet-storage/limpet/engine/distance/internal/sad"
)

// Comparing all pairs of a hundred thousand members takes minutes of a window. A score
// is the distance that half of the peers exceed, and a poll of peers tells that nearly as
// well as asking all of them: with 4,096 that are drawn at random, a score is one that
// between 45 and 55 of a hundred peers exceed, but for one component and window in
// 400 million (Hoeffding: 2·exp(−2·4096·0.05²) is 2.6e-9). Every member is asked about,
// so that none is overlooked.

// mostCompared is how many peers a member is compared with at the most: as many as keep
// all distances in memory anyway, so that smaller groups are judged exactly.
const mostCompared = maxMatrix

// drawn draws peers, the same ones for the same domain.
type drawn struct {
	limit   int // 0: mostCompared
	members []int
}

func (d *drawn) most() int {
	if d.limit > 0 {
		return d.limit
	}
	return mostCompared
}

// draw draws members of a domain without putting any back.
func (d *drawn) draw(domain []int) []int {
	d.members = append(d.members[:0], domain...)
	n := uint64(len(domain))
	rng := rand.New(rand.NewPCG(n, n))
	for i := range d.most() {
		j := i + rng.IntN(len(d.members)-i)
		d.members[i], d.members[j] = d.members[j], d.members[i]
	}
	d.members = d.members[:d.most()]
	slices.Sort(d.members) // they lie in memory in this order
	return d.members
}

// scoreDrawn compares each kind of row with those of peers that were drawn.
func (m *cdf) scoreDrawn(domain []int, stride int, score []float64) {
	peers := m.drawn.draw(domain)
	m.compared = m.compared[:0]
	for _, i := range peers {
		m.compared = append(m.compared, m.rows[i*stride:][:stride]...)
	}
	m.scores, m.apart = resize(m.scores, len(m.kinds.first)), resize(m.apart, len(peers))
	for kind, i := range m.kinds.first {
		own := m.rows[i*stride:][:stride]
		for j := range peers {
			m.apart[j] = sad.Sum(own, m.compared[j*stride:][:stride])
		}
		m.scores[kind] = float64(sad.Select(m.apart, majority(len(peers)))) / float64(m.winSize)
	}
	for at, i := range domain {
		score[i] = m.scores[m.kinds.of[at]]
	}
}
