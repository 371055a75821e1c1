package window

import (
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
)

// Total adds up what a component did over some steps.
type Total struct {
	Value    [NumColumns]float64
	Steps    [NumColumns]int32 // that had a value
	Requests float64           // a second, over the steps of which their waiting is known
	Waited   float64           // by all of them together
}

// Mean is a metric's average over the steps that had a value.
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

// part is what a component did in one shift.
type part struct {
	Total
	segments [NumWays]Segments
}

// add takes one step. Waiting is counted by request, so that a second with one
// slow request does not weigh as much as one with a thousand quick ones.
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
	for i, w := range Ways {
		p.segments[i].add(of[w.Again], of[w.Delivered])
	}
}

// Totals add rows up over the shifts of a window, component by component.
type Totals struct {
	StepSeconds int64
	Of          []Total         // by component, over the window that ended last
	Losses      [][NumWays]Loss // likewise

	places [NumColumns]int // of the columns in a row, -1 where it has none
	shift  int64           // steps
	ring   [][]part        // by shift and component
	filled []int           // steps with a row, by shift
	at     int             // shift that is being filled
	number int64           // of that shift since the epoch
}

// NewTotals are of nothing yet, for windows of so many shifts.
func NewTotals(s table.Schema, shiftSeconds int64, shifts int) *Totals {
	t := &Totals{
		StepSeconds: s.StepSeconds, Of: make([]Total, s.Components), Losses: make([][NumWays]Loss, s.Components),
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

// Row adds a row. For each window that ends with it or before, it calls ended
// with the end and with how many steps of the window had a row.
func (t *Totals) Row(row *table.Row, ended func(end int64, steps int)) {
	step := row.End / t.StepSeconds
	if number := (step - 1) / t.shift; number != t.number {
		t.turn(number, ended)
	}
	t.filled[t.at]++
	for c := range t.ring[t.at] {
		t.ring[t.at][c].add(row.Values, &t.places, c)
	}
	if step%t.shift == 0 {
		t.turn(t.number+1, ended)
	}
}

// turn ends the shift that is being filled, and those without any row that lie
// between it and the one that begins.
func (t *Totals) turn(number int64, ended func(end int64, steps int)) {
	forward := t.number >= 0 && number > t.number
	shifts := int64(len(t.ring))
	if forward {
		shifts = min(shifts, number-t.number)
	}
	for i := range shifts {
		if forward {
			ended((t.number+i+1)*t.shift*t.StepSeconds, t.sum())
		}
		t.at = (t.at + 1) % len(t.ring)
		clear(t.ring[t.at])
		t.filled[t.at] = 0
	}
	t.number = number
}

// sum puts the window together and says how many of its steps had a row.
func (t *Totals) sum() (steps int) {
	clear(t.Of)
	clear(t.Losses)
	for i, shift := range t.ring {
		steps += t.filled[i]
		for c := range shift {
			t.Of[c].merge(&shift[c].Total)
			for w := range NumWays {
				t.Losses[c][w].take(&shift[c].segments[w], float64(t.StepSeconds))
			}
		}
	}
	return steps
}
