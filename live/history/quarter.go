package history

import (
	"math"

	"github.com/limpet-storage/limpet/live/history/segment"
)

// quarterSeconds is the time that a row of the tier quarters covers, in seconds. A window of the
// diagnosis has about the same length.
const quarterSeconds = 900

// quarterOf returns the length of a row of the tier quarters, in seconds: quarterSeconds, rounded
// up to a multiple of `step`. The parameter `step` is the length of a step in seconds.
func quarterOf(step int64) int64 { return step * ((quarterSeconds + step - 1) / step) }

// For each metric and component, a row of the tier quarters has quarterParts values: the least, the
// mean and the largest of the values of its steps, and the number of steps with a value.
const (
	least = iota
	waitingMean
	Largest
	Steps
	quarterParts
)

// quarterNames are the suffixes of column names. A metric has one column for each suffix.
var quarterNames = [quarterParts]string{"_least", "_mean", "_largest", "_steps"}

func quarterColumns(metrics []string) []string {
	var out []string
	for _, m := range metrics {
		for _, part := range quarterNames {
			out = append(out, m+part)
		}
	}
	return out
}

// quarters computes the values of quarter hours from the values of steps. The time of a quarter
// hour is the time of its last step. If rows are written to disk within a quarter hour, the quarter
// hour is stored as several rows. A query joins these rows.
func quarters(t *rows) *rows {
	length := quarterOf(t.Seconds)
	out := newWaiting(t.Layout, quarterColumns(t.Columns), length)
	n := t.width()
	f := newFold(n)
	for first := 0; first < len(t.Times); {
		last := first + 1
		for last < len(t.Times) && End(t.Times[last], length) == End(t.Times[first], length) {
			last++
		}
		row := out.Add(t.Times[last-1])
		for m := range t.Columns {
			f.begin(t.Seen[m*n:][:n])
			for _, steps := range t.Rows[first:last] {
				f.take(steps[m*n:][:n])
			}
			f.end(row[m*quarterParts*n:], n, last-first)
		}
		first = last
	}
	return out
}

// fold computes the values of one quarter hour, for all components.
type fold struct {
	busy           []int          // indexes of the components with different values: not only zeros, and not only missing values
	missing        []int          // indexes of the components with only missing values; all components that are not in `busy` or `missing` have only zeros
	least, largest []segment.Code // by busy component: keys (Code.Key) of the least and of the largest value
	sum            []float32
	steps          []uint16
}

func newFold(n int) *fold {
	return &fold{nil, nil, make([]segment.Code, n), make([]segment.Code, n), make([]float32, n), make([]uint16, n)}
}

func (f *fold) begin(seen []segment.Seen) {
	f.busy, f.missing = f.busy[:0], f.missing[:0]
	for i := range seen {
		switch c, same := seen[i].Uniform(); {
		case !same:
			k := len(f.busy)
			f.busy = append(f.busy, i)
			f.least[k], f.largest[k], f.sum[k], f.steps[k] = math.MaxUint16, 0, 0, 0
		case c == segment.Missing:
			f.missing = append(f.missing, i)
		}
	}
}

// take adds the values of one step.
func (f *fold) take(codes []segment.Code) {
	for k, i := range f.busy {
		c := codes[i]
		if c == segment.Missing {
			continue
		}
		key := c.Key()
		f.least[k], f.largest[k] = min(f.least[k], key), max(f.largest[k], key)
		f.sum[k] += math.Float32frombits(uint32(c) << 16)
		f.steps[k]++
	}
}

// end writes the values of the quarter hour into a row of the tier quarters. The row has n
// components, and the quarter hour has the given number of steps.
func (f *fold) end(row []segment.Code, n, steps int) {
	clear(row[:Steps*n])
	all := segment.Round(float64(steps))
	for i := range n {
		row[Steps*n+i] = all
	}
	for _, i := range f.missing {
		setMissing(row, i, n)
	}
	for k, i := range f.busy {
		if f.steps[k] == 0 {
			setMissing(row, i, n)
			continue
		}
		row[least*n+i], row[Largest*n+i] = f.least[k].Unkey(), f.largest[k].Unkey()
		row[waitingMean*n+i] = segment.Round(float64(f.sum[k]) / float64(f.steps[k]))
		row[Steps*n+i] = segment.Round(float64(f.steps[k]))
	}
}

// setMissing marks component i of a row with n components as a component without a value.
func setMissing(row []segment.Code, i, n int) {
	row[least*n+i], row[waitingMean*n+i], row[Largest*n+i], row[Steps*n+i] = segment.Missing, segment.Missing, segment.Missing, segment.Missing
}
