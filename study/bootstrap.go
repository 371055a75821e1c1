// This file estimates the uncertainty of a share of a fleet by the bootstrap over groups. It
// draws groups and not drives, because the drives of a group are not independent. Each of
// some hundred replicates of the fleet counts every group 0, 1, 2 or more times (a Poisson
// number of mean 1). The spread of a share over the replicates is its uncertainty.
//
// The weight of a group in a replicate depends only on the seed and the name of the group. So
// the sums do not depend on the order of the groups, and the memory does not grow with the
// number of groups.

package study

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// Sums holds counts of events, each added up over groups. Its caller adds one group after the
// other: Add for each count of the group, then EndGroup.
type Sums struct {
	seed       uint64
	replicates int
	totals     []int64
	drawn      [][]int64 // sums, by count and replicate; nil if all are 0
	parts      [][]int64 // sums, by count and part of the fleet; nil if all are 0
	having     []int     // by count: number of groups in which the count is not 0
	groups     int

	weights []int64 // weight of the current group, by replicate
	part    int     // part of the fleet that has the current group
	pending []int64 // counts of the current group
	touched []int   // indices of the pending counts that are not 0
}

// NewSums returns sums without groups.
func NewSums(seed uint64, replicates int) *Sums {
	return &Sums{seed: seed, replicates: replicates, weights: make([]int64, replicates)}
}

// Block adds n counts and returns the index of the first.
func (s *Sums) Block(n int) int {
	first := len(s.totals)
	s.totals = append(s.totals, make([]int64, n)...)
	s.drawn = append(s.drawn, make([][]int64, n)...)
	s.parts = append(s.parts, make([][]int64, n)...)
	s.having = append(s.having, make([]int, n)...)
	s.pending = append(s.pending, make([]int64, n)...)
	return first
}

// Add adds n to a count of the current group.
func (s *Sums) Add(count int, n int64) {
	if n == 0 {
		return
	}
	if s.pending[count] == 0 {
		s.touched = append(s.touched, count)
	}
	s.pending[count] += n
}

// EndGroup adds the current group, which has this name, to the sums.
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

// draw draws the weights of a group in the replicates, and its part of the fleet.
func (s *Sums) draw(name string) {
	h := fnv.New64a()
	h.Write([]byte(name))
	pcg := rand.NewPCG(s.seed, h.Sum64())
	s.part = int(pcg.Uint64() % parts)
	for i := range s.weights {
		s.weights[i] = poisson(float64(pcg.Uint64()>>11) * 0x1p-53)
	}
}

// poisson returns the u-quantile of the Poisson distribution of mean 1.
func poisson(u float64) int64 {
	n, p := int64(0), 1/math.E
	for u >= p && p > 0 {
		u -= p
		n++
		p /= float64(n)
	}
	return n
}

// Groups returns the number of groups.
func (s *Sums) Groups() int { return s.groups }

// Total returns the sum of a count over all groups.
func (s *Sums) Total(count int) int64 { return s.totals[count] }

// A Sum returns the sum of a count over the fleet, or over a replicate of the fleet.
type Sum func(count int) float64

// An Estimate is a value and its confidence interval. The interval contains the true value in
// 95 of 100 fleets, or in about 90 of 100 if only 10 to 40 groups have the events. Interval is
// nil if
//
//   - fewer than FewestGroups groups have the events;
//   - the events happened never or always;
//   - all groups are alike.
type Estimate struct {
	Value    float64
	Interval *Interval
	Groups   int  // number of groups in which none of the counts is 0
	Alike    bool // the value is the same in all replicates
}

// An Interval is a confidence interval of the level Level.
type Interval struct{ Low, High float64 }

// Share estimates the ratio of two counts: part / whole.
func (s *Sums) Share(part, whole int) Estimate {
	return s.Estimate(func(sum Sum) float64 { return sum(part) / sum(whole) }, part, whole)
}
