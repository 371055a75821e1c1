package tables

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// samples are lines of a table: the values of a component at a time.
type samples struct {
	metrics int
	times   []int64   // nanoseconds since the epoch
	who     []int32   // component, by the roster of the file
	values  []float64 // for each sample one value of each metric

	twice *duplicates // counts values that Compact folds; nil: samples are not compacted
}

func (s *samples) clear() {
	s.times, s.who, s.values = s.times[:0], s.who[:0], s.values[:0]
}

// add appends a sample and returns its values, all missing.
func (s *samples) add(ns int64, who int32) []float64 {
	s.times = append(s.times, ns)
	s.who = append(s.who, who)
	n := len(s.values)
	for range s.metrics {
		s.values = append(s.values, table.Missing)
	}
	return s.values[n:]
}

// of returns the values of a sample.
func (s *samples) of(i int) []float64 { return s.values[i*s.metrics : (i+1)*s.metrics] }

// grow makes room for n more samples.
func (s *samples) grow(n int) {
	s.times = slices.Grow(s.times, n)
	s.who = slices.Grow(s.who, n)
	s.values = slices.Grow(s.values, n*s.metrics)
}

// keep removes all samples except the samples at the indexes places.
func (s *samples) keep(places []int32) {
	slices.Sort(places)
	for to, from := range places {
		s.times[to], s.who[to] = s.times[from], s.who[from]
		copy(s.of(to), s.of(int(from)))
	}
	n := len(places)
	s.times, s.who, s.values = s.times[:n], s.who[:n], s.values[:n*s.metrics]
}

// byStep returns the indexes of the samples by step, and within a step in the order of
// the file.
//
// Step and index are packed into a word, which sorts several times faster than a
// struct: 33 bits hold every second up to the year 2200.
func (s *samples) byStep(stepSeconds int64) []int32 {
	const placeBits = 31
	packed := make([]uint64, s.Len())
	for i, t := range s.times {
		packed[i] = uint64(stepOf(t, stepSeconds))<<placeBits | uint64(i)
	}
	slices.Sort(packed)
	order := make([]int32, len(packed))
	for i, p := range packed {
		order[i] = int32(p & (1<<placeBits - 1))
	}
	return order
}
