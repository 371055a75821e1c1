// This file estimates how certain a share of a fleet is, by the bootstrap over groups:
// drives of a group are not independent, so groups are drawn again. Every group counts 0,
// 1, 2 or more times in each of some hundred replicates of the fleet (a Poisson number of
// mean 1), and the spread of a share over replicates is its uncertainty.
//
// The weight of a group in a replicate is drawn from the seed and the group's name alone.
// So sums do not depend on the order of groups, and memory is that of the sums, however
// many groups there are.

package study

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// Sums are counts of events, each added up over groups.
type Sums struct {
	seed       uint64
	replicates int
	totals     []int64
	drawn      [][]int64 // by count and replicate; nil where all are 0
	parts      [][]int64 // by count and part of the fleet; nil where all are 0
	having     []int     // groups, by count, where it is not 0
	groups     int

	weights []int64 // of the group at hand, by replicate
	part    int     // that it is in
	pending []int64 // its counts
	touched []int   // those that are not 0
}

// NewSums returns sums over no groups yet.
func NewSums(seed uint64, replicates int) *Sums {
	return &Sums{seed: seed, replicates: replicates, weights: make([]int64, replicates)}
}

// Block makes n more counts and returns the first.
func (s *Sums) Block(n int) int {
	first := len(s.totals)
	s.totals = append(s.totals, make([]int64, n)...)
	s.drawn = append(s.drawn, make([][]int64, n)...)
	s.parts = append(s.parts, make([][]int64, n)...)
	s.having = append(s.having, make([]int, n)...)
	s.pending = append(s.pending, make([]int64, n)...)
	return first
}

// Add adds to a count of the group at hand.
func (s *Sums) Add(count int, n int64) {
	if n == 0 {
		return
	}
	if s.pending[count] == 0 {
		s.touched = append(s.touched, count)
	}
	s.pending[count] += n
}

// EndGroup adds the group at hand to the sums.
func (s *Sums) EndGroup(name string) {
	s.groups++
	s.draw(name)
	for _, c := range s.touched {
		if n := s.pending[c]; n != 0 {
			s.spread(c, n)
		}
		s.pending[c] = 0
	}
	s.touched = s.touched[:0]
}

func (s *Sums) spread(count int, n int64) {
	s.totals[count] += n
	s.having[count]++
	if s.drawn[count] == nil {
		s.drawn[count] = make([]int64, s.replicates)
		s.parts[count] = make([]int64, parts)
	}
	s.parts[count][s.part] += n
	for i, w := range s.weights {
		s.drawn[count][i] += w * n
	}
}

// draw draws how often a group counts in each of the replicates.
func (s *Sums) draw(name string) {
	h := fnv.New64a()
	h.Write([]byte(name))
	pcg := rand.NewPCG(s.seed, h.Sum64())
	s.part = int(pcg.Uint64() % parts)
	for i := range s.weights {
		s.weights[i] = poisson(float64(pcg.Uint64()>>11) * 0x1p-53)
	}
}

// poisson is the quantile of the Poisson distribution of mean 1.
func poisson(u float64) int64 {
	n, p := int64(0), 1/math.E
	for u >= p && p > 0 {
		u -= p
		n++
		p /= float64(n)
	}
	return n
}

// Groups is how many were added.
func (s *Sums) Groups() int { return s.groups }

// Total is the sum of a count over the groups.
func (s *Sums) Total(count int) int64 { return s.totals[count] }

// A Sum of a count: that of the fleet, or of one of its replicates.
type Sum func(count int) float64

// An Estimate is a value, and an interval that is meant to have the true one in
// 95 of 100 fleets; of what 10 to 40 groups have it is rather 90. Without an
// Interval there is no telling: it is of too few groups, of events that never
// happened, of such that always did, or of groups that are all alike.
type Estimate struct {
	Value    float64
	Interval *Interval
	Groups   int  // that have any of what it is made of
	Alike    bool // whichever of them are drawn, the value is the same
}

// An Interval of confidence, at Level.
type Interval struct{ Low, High float64 }

// Share estimates a part of a whole.
func (s *Sums) Share(part, whole int) Estimate {
	return s.Estimate(func(sum Sum) float64 { return sum(part) / sum(whole) }, part, whole)
}
