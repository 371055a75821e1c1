package window

import (
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
)

// Total sums the values of one component over some steps.
type Total struct {
	Value    [NumColumns]float64
	Steps    [NumColumns]int32 // number of steps with a value
	Requests float64           // requests per second, summed over steps with known latency
	Waited   float64           // requests per second times the latency (await), summed over the same steps
}

// Mean returns the mean of a metric over the steps with a value; NaN if there are no
// such steps.
func (t *Total) Mean(c Column) float64 {
	if t.Steps[c] == 0 {
		return table.Missing
	}
	return t.Value[c] / float64(t.Steps[c])
}

func (t *Total) merge(o *Total) {
	for c := range t.Value {
		t.Value[c] += o.Value[c]
		t.Steps[c] += o.Steps[c]
	}
	t.Requests += o.Requests
	t.Waited += o.Waited
}

// part holds the sums of a component over one shift, the time from the start of one window to the
// start of the next.
type part struct {
	Total
	segments [NumDirections]Segments
}

// add adds one step. Latency is weighted by requests: a step with one slow request has less weight
// than a step with a thousand fast requests. The parameter `places` is Totals.places.
func (p *part) add(values [][]float64, places *[NumColumns]int, component int) {
	var of [NumColumns]float64
	for c := range NumColumns {
		of[c] = table.Missing
		if places[c] >= 0 {
			of[c] = values[places[c]][component]
		}
		if !table.IsMissing(of[c]) {
			p.Value[c] += of[c]
			p.Steps[c]++
		}
	}
	if waited := of[TPS] * of[Await]; !table.IsMissing(waited) {
		p.Requests += of[TPS]
		p.Waited += waited
	}
	for i, w := range Directions {
		p.segments[i].add(of[w.Resent], of[w.Delivered])
	}
}

// Totals sums the rows of each window, for each component. A window consists of shifts. A shift is
// the time from the start of one window to the start of the next.
type Totals struct {
	StepSeconds int64
	ByComponent []Total               // by component: sums over the window that ended last
	Losses      [][NumDirections]Loss // by component and direction: losses in the window that ended last

	places     [NumColumns]int // by column: index of its metric among the metrics of a row; -1 if rows do not have the metric
	shift      int64           // length of a shift, in steps
	ring       [][]part        // by shift and component: sums over the shift
	filled     []int           // by shift: number of rows
	shiftIndex int             // index of the shift that is being filled
	number     int64           // number of the shift that is being filled, counted from Unix time 0
}

// NewTotals returns empty totals for windows that consist of the given number of shifts. A shift is
// shiftSeconds long.
func NewTotals(s table.Schema, shiftSeconds int64, shifts int) *Totals {
	t := &Totals{
		StepSeconds: s.StepSeconds, ByComponent: make([]Total, s.Components), Losses: make([][NumDirections]Loss, s.Components),
		shift: shiftSeconds / s.StepSeconds, filled: make([]int, shifts), number: -1,
	}
	for c, of := range Columns {
		t.places[c] = metric.Index(s.Metrics, of.Name)
	}
	for range shifts {
		t.ring = append(t.ring, make([]part, s.Components))
	}
	return t
}

// Row adds a row. One or more windows may end with the row or before it. For each of them, Row
// calls the function `ended` with the Unix time at which the window ends, and the number of rows in
// the window.
func (t *Totals) Row(row *table.Row, ended func(end int64, steps int)) {
	step := row.End / t.StepSeconds
	if number := (step - 1) / t.shift; number != t.number {
		t.beginShift(number, ended)
	}
	t.filled[t.shiftIndex]++
	for c := range t.ring[t.shiftIndex] {
		t.ring[t.shiftIndex][c].add(row.Values, &t.places, c)
	}
	if step%t.shift == 0 {
		t.beginShift(t.number+1, ended)
	}
}

// beginShift begins the shift with the given number. Before this, it ends the shift that is being
// filled, and the empty shifts between the two shifts. With each of these shifts a window ends, so
// beginShift calls the function `ended`. It leaves out windows without any row. If the given number
// is smaller than the present number, no window ends.
func (t *Totals) beginShift(number int64, ended func(end int64, steps int)) {
	forward := t.number >= 0 && number > t.number
	shifts := int64(len(t.ring))
	if forward {
		shifts = min(shifts, number-t.number)
	}
	for i := range shifts {
		if forward {
			ended((t.number+i+1)*t.shift*t.StepSeconds, t.sumWindow())
		}
		t.shiftIndex = (t.shiftIndex + 1) % len(t.ring)
		clear(t.ring[t.shiftIndex])
		t.filled[t.shiftIndex] = 0
	}
	t.number = number
}

// sumWindow fills ByComponent and Losses, and returns the number of rows in the window.
func (t *Totals) sumWindow() (steps int) {
	clear(t.ByComponent)
	clear(t.Losses)
	for i, shift := range t.ring {
		steps += t.filled[i]
		for c := range shift {
			t.ByComponent[c].merge(&shift[c].Total)
			for w := range NumDirections {
				t.Losses[c][w].take(&shift[c].segments[w], float64(t.StepSeconds))
			}
		}
	}
	return steps
}
