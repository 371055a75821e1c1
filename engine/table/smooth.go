package table

import "math"

// Smoother computes a moving average of the values of many components. Each average is over the
// last `width` steps, including the present step. No later steps are used, so that live and
// replayed data give the same averages. Missing values are skipped. The average is missing if and
// only if the newest value is missing, so that the users of the averages recognise a missing
// component.
type Smoother struct {
	width   int
	ring    [][]float64 // by step and component: the values of the last steps; 0 if the value is not included in the average
	counted [][]int32   // by step and component: 1 if the value is included in the average, otherwise 0
	next    int         // index in the ring for the next step
	zeros   []float64   // a row of zeros
	out     []float64
	count   []int32 // by component: number of values in the ring that are included in the average
	loaded  bool    // true if the last call of Push had a load: its parameter `load` was not nil
	idle    []int   // by block: number of consecutive steps, up to the last step, in which all values and loads of the block were zero
}

// RestBlock is the number of components in a block. Smoother works block by block, because many
// components are standby paths, whose values are zero for days. If all values of a block were zero
// in the last `width` steps, another step of zeros changes nothing, and Smoother skips the block.
const RestBlock = 64

// NewSmoother returns a moving average over `width` steps.
func NewSmoother(width, components int) *Smoother {
	s := &Smoother{
		width: width, zeros: make([]float64, components), out: make([]float64, components),
		count: make([]int32, components), idle: make([]int, components/RestBlock+1),
	}
	for range width {
		s.ring = append(s.ring, make([]float64, components))
		s.counted = append(s.counted, make([]int32, components))
	}
	return s
}

// Skip adds n steps without data.
func (s *Smoother) Skip(n int) {
	clear(s.idle)
	for range min(n, s.width) {
		for c, counted := range s.counted[s.next] {
			s.count[c] -= counted
		}
		clear(s.ring[s.next])
		clear(s.counted[s.next])
		s.next = (s.next + 1) % s.width
	}
}

// Push takes the values of the next step and returns the averages, which are valid until the next
// call. If `load` is not nil, the average of a component includes only steps in which the component
// has load. If the component has no load in any step, the average is zero.
func (s *Smoother) Push(values, load []float64) []float64 {
	if s.loaded != (load != nil) {
		s.loaded = !s.loaded
		clear(s.idle)
	}
	newest := s.next
	s.next = (s.next + 1) % s.width
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

// RestedFor returns how many steps ago all averages in the block of a component became zero. The
// result is negative if the block had a value or load other than zero in the last `width` steps.
func (s *Smoother) RestedFor(component int) int {
	return s.idle[component/RestBlock] - s.width
}

// atRest counts the idle steps of a block. It reports whether the block can be skipped, because all
// its values in the ring and all its averages are zero.
func (s *Smoother) atRest(from, to int, values, load []float64) bool {
	idle := &s.idle[from/RestBlock]
	if *idle++; !allZero(values[from:to]) || load != nil && !allZero(load[from:to]) {
		*idle = 0
	}
	return *idle > s.width
}

// allZero reports whether all bits of all values of x are zero.
func allZero(x []float64) bool {
	bits := uint64(0)
	for _, v := range x {
		bits |= math.Float64bits(v)
	}
	return bits == 0
}

// put replaces the oldest values of a block in the ring by the values of the next step. The
// parameter `at` is the index of this step in the ring.
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

// sum adds up the values of a block in the ring, oldest first. It computes the whole sum again in
// each step. In a running sum, rounding errors would accumulate, and the sum would depend on the
// time at which the stream began. Values that are not included in the average are zero in the ring,
// and do not change the sum.
func (s *Smoother) sum(from, to int) {
	row := func(age int) []float64 {
		if age >= s.width {
			return s.zeros[from:to]
		}
		return s.ring[(s.next+age)%s.width][from:to]
	}
	clear(s.out[from:to])
	for age := 0; age < s.width; age += 4 {
		addFour(s.out[from:to], row(age), row(age+1), row(age+2), row(age+3))
	}
}

// addFour adds the rows a, b, c and d to `sums`, in this order.
func addFour(sums, a, b, c, d []float64) {
	a, b, c, d = a[:len(sums)], b[:len(sums)], c[:len(sums)], d[:len(sums)]
	for i, sum := range sums {
		sums[i] = sum + a[i] + b[i] + c[i] + d[i]
	}
}

// divide computes the averages of a block from its sums.
func (s *Smoother) divide(from, to int, values []float64) {
	out, count := s.out[:to], s.count[:to]
	for c := from; c < to; c++ {
		out[c] /= float64(max(count[c], 1))
		if IsMissing(values[c]) {
			out[c] = Missing
		}
	}
}
