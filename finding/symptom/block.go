package symptom

import (
	"github.com/limpet-storage/limpet/table"
)

// sums add up what a component did over some steps.
type sums struct {
	value    [numColumns]float64
	steps    [numColumns]int32 // that had a value
	requests float64           // a second, in the steps of which their waiting is known
	waited   float64           // by all of them together
	segments [numWays]counts
}

// add takes one step. Waiting is counted by request, so that a second with one
// slow request does not weigh as much as one with a thousand quick ones.
func (s *sums) add(values [][]float64, places *[numColumns]int, component int) {
	var of [numColumns]float64
	for c := range numColumns {
		of[c] = table.Missing
		if places[c] >= 0 {
			of[c] = values[places[c]][component]
		}
		if !table.IsMissing(of[c]) {
			s.value[c] += of[c]
			s.steps[c]++
		}
	}
	if waited := of[tps] * of[wait]; !table.IsMissing(waited) {
		s.requests += of[tps]
		s.waited += waited
	}
	for i := range ways {
		s.segments[i].add(of[ways[i].again], of[ways[i].delivered])
	}
}

func (s *sums) merge(o *sums) {
	for c := range s.value {
		s.value[c] += o.value[c]
		s.steps[c] += o.steps[c]
	}
	s.requests += o.requests
	s.waited += o.waited
	for i := range s.segments {
		s.segments[i].merge(&o.segments[i])
	}
}

// mean is the metric's average over the steps that had a value.
func (s *sums) mean(c column) float64 {
	if s.steps[c] == 0 {
		return table.Missing
	}
	return s.value[c] / float64(s.steps[c])
}

// blocks are the sums of the last shifts, of which a window is made: one block
// for each component and shift.
type blocks struct {
	places [numColumns]int // of the columns in a row, -1 where it has none
	shift  int64           // steps
	ring   [][]sums        // by shift and component
	filled []int           // steps with a row, by shift
	at     int             // shift that is being filled
	number int64           // of that shift since the epoch
	window []sums          // the shifts together, by component
}

func newBlocks(places [numColumns]int, shift int64, shifts, components int) *blocks {
	b := &blocks{places: places, shift: shift, filled: make([]int, shifts), window: make([]sums, components), number: -1}
	for range shifts {
		b.ring = append(b.ring, make([]sums, components))
	}
	return b
}

// push adds a row and calls closed for each shift that ends with it or before.
func (b *blocks) push(row *table.Row, step int64, closed func(end int64)) {
	if number := (step - 1) / b.shift; number != b.number {
		b.turn(number, closed)
	}
	b.filled[b.at]++
	for c := range b.ring[b.at] {
		b.ring[b.at][c].add(row.Values, &b.places, c)
	}
	if step%b.shift == 0 {
		b.turn(b.number+1, closed)
	}
}

// turn ends the shift that is being filled, and those without any row that lie
// between it and the one that begins.
func (b *blocks) turn(number int64, closed func(end int64)) {
	forward := b.number >= 0 && number > b.number
	shifts := int64(len(b.ring))
	if forward {
		shifts = min(shifts, number-b.number)
	}
	for i := range shifts {
		if forward {
			closed((b.number + i + 1) * b.shift)
		}
		b.at = (b.at + 1) % len(b.ring)
		clear(b.ring[b.at])
		b.filled[b.at] = 0
	}
	b.number = number
}

// sum puts the window together and says how many of its steps had a row.
func (b *blocks) sum() int {
	clear(b.window)
	steps := 0
	for i, shift := range b.ring {
		steps += b.filled[i]
		for c := range shift {
			b.window[c].merge(&shift[c])
		}
	}
	return steps
}
