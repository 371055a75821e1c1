package tables

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// samples is a list of samples, stored column by column. A sample has the values of one
// component at one time.
type samples struct {
	metrics    int
	times      []int64   // nanoseconds since the epoch
	components []int32   // number of the component in the file (see roster)
	values     []float64 // one value of each metric, sample after sample

	duplicates *duplicates // counts the duplicate values that Compact finds; nil if Compact is not called
}

func (s *samples) clear() {
	s.times, s.components, s.values = s.times[:0], s.components[:0], s.values[:0]
}

// add appends a sample whose values are all missing, and returns these values.
func (s *samples) add(ns int64, who int32) []float64 {
	s.times = append(s.times, ns)
	s.components = append(s.components, who)
	n := len(s.values)
	for range s.metrics {
		s.values = append(s.values, table.Missing)
	}
	return s.values[n:]
}

// valuesOf returns the values of the i-th sample.
func (s *samples) valuesOf(i int) []float64 { return s.values[i*s.metrics : (i+1)*s.metrics] }

// grow allocates memory for n more samples.
func (s *samples) grow(n int) {
	s.times = slices.Grow(s.times, n)
	s.components = slices.Grow(s.components, n)
	s.values = slices.Grow(s.values, n*s.metrics)
}

// keepOnly removes all samples whose index is not in the list `places`.
func (s *samples) keepOnly(places []int32) {
	slices.Sort(places)
	for to, from := range places {
		s.times[to], s.components[to] = s.times[from], s.components[from]
		copy(s.valuesOf(to), s.valuesOf(int(from)))
	}
	n := len(places)
	s.times, s.components, s.values = s.times[:n], s.components[:n], s.values[:n*s.metrics]
}

// byStep returns the indexes of the samples, sorted by step. Samples of one step stay in
// the order of the file.
//
// Step and index are packed into one number of 64 bits, because numbers are sorted
// several times faster than structs. The index takes 31 bits. The step takes the other 33
// bits, which are enough for steps of one second up to the year 2200.
func (s *samples) byStep(stepSeconds int64) []int32 {
	const placeBits = 31
	packed := make([]uint64, s.Len())
	step, span := int64(0), stepSpan{}
	for i, t := range s.times {
		if !span.has(t) {
			step = stepOf(t, stepSeconds)
			span = spanOf(step, stepSeconds)
		}
		packed[i] = uint64(step)<<placeBits | uint64(i)
	}
	slices.Sort(packed)
	order := make([]int32, len(packed))
	for i, p := range packed {
		order[i] = int32(p & (1<<placeBits - 1))
	}
	return order
}
