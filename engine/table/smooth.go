package table

import "math"

// Smoother is a moving average over the values of many components. It is
// trailing, so that live and replayed data agree; it averages the values
// present, and is missing only where the current value is: absence must stay
// visible.
type Smoother struct {
	width   int
	ring    [][]float64 // the last width values of every component, 0 where none counts
	counted [][]int32   // 1 where one counts
	at      int         // where the next values go
	none    []float64   // a row of zeros
	out     []float64
	count   []int32 // by component: what counts of the ring
	loaded  bool    // load was given with the last step
	idle    []int   // by block: steps since it did anything
}

// RestBlock is how many components are looked at together. Where all of them have been at
// zero for the whole width, as standby paths are for days, nothing changes by
// one more step of it.
const RestBlock = 64

// NewSmoother returns an average over width steps.
func NewSmoother(width, components int) *Smoother {
	s := &Smoother{
		width: width, none: make([]float64, components), out: make([]float64, components),
		count: make([]int32, components), idle: make([]int, components/RestBlock+1),
	}
	for range width {
		s.ring = append(s.ring, make([]float64, components))
		s.counted = append(s.counted, make([]int32, components))
	}
	return s
}

// Skip passes over n steps without data.
func (s *Smoother) Skip(n int) {
	clear(s.idle)
	for range min(n, s.width) {
		for c, counted := range s.counted[s.at] {
			s.count[c] -= counted
		}
		clear(s.ring[s.at])
		clear(s.counted[s.at])
		s.at = (s.at + 1) % s.width
	}
}

// Push takes the values of the next step and returns their averages, valid
// until the next call. Where load is given, steps in which a component did
// nothing do not count; one that did nothing in all of them is at zero.
func (s *Smoother) Push(values, load []float64) []float64 {
	if s.loaded != (load != nil) {
		s.loaded = !s.loaded
		clear(s.idle)
	}
	newest := s.at
	s.at = (s.at + 1) % s.width
	for from := 0; from < len(values); from += RestBlock {
		to := min(from+RestBlock, len(values))
		if s.atRest(from, to, values, load) {
			continue
		}
		s.put(newest, from, to, values, load)
		s.sum(from, to)
		s.divide(from, to, values)
	}
	return s.out
}

// RestedFor says for how many steps all averages of the block of a component have been
// zero, at the least.
func (s *Smoother) RestedFor(component int) int {
	return s.idle[component/RestBlock] - s.width
}

// atRest notes whether a block does anything in a step, and says whether its
// ring and its averages are what they have to be already.
func (s *Smoother) atRest(from, to int, values, load []float64) bool {
	idle := &s.idle[from/RestBlock]
	if *idle++; !allZero(values[from:to]) || load != nil && !allZero(load[from:to]) {
		*idle = 0
	}
	return *idle > s.width
}

// allZero says whether all bits of x are.
func allZero(x []float64) bool {
	bits := uint64(0)
	for _, v := range x {
		bits |= math.Float64bits(v)
	}
	return bits == 0
}

// put replaces the oldest values of a block by those of the next step.
func (s *Smoother) put(at, from, to int, values, load []float64) {
	now, counted, count := s.ring[at][:to], s.counted[at][:to], s.count[:to]
	for c := from; c < to; c++ {
		v, one := values[c], int32(1)
		if IsMissing(v) || load != nil && load[c] == 0 {
			v, one = 0, 0
		}
		count[c] += one - counted[c]
		now[c], counted[c] = v, one
	}
}

// sum adds up a block of the ring afresh, oldest first: a running sum would
// drift, and its result would depend on where the stream began. Zeros in place
// of what does not count leave a sum as it is.
func (s *Smoother) sum(from, to int) {
	row := func(age int) []float64 {
		if age >= s.width {
			return s.none[from:to]
		}
		return s.ring[(s.at+age)%s.width][from:to]
	}
	clear(s.out[from:to])
	for age := 0; age < s.width; age += 4 {
		addFour(s.out[from:to], row(age), row(age+1), row(age+2), row(age+3))
	}
}

// addFour adds four rows to sums, one after the other.
func addFour(sums, a, b, c, d []float64) {
	a, b, c, d = a[:len(sums)], b[:len(sums)], c[:len(sums)], d[:len(sums)]
	for i, sum := range sums {
		sums[i] = sum + a[i] + b[i] + c[i] + d[i]
	}
}

// divide turns the sums of a block into averages.
func (s *Smoother) divide(from, to int, values []float64) {
	out, count := s.out[:to], s.count[:to]
	for c := from; c < to; c++ {
		out[c] /= float64(max(count[c], 1))
		if IsMissing(values[c]) {
			out[c] = Missing
		}
	}
}
