package history

import (
	"math"

	"github.com/limpet-storage/limpet/history/segment"
)

// quarterSeconds is how long a row of the second tier is, about: as long as a
// window.
const quarterSeconds = 900

// quarterOf is the least whole number of steps that is as long.
func quarterOf(step int64) int64 { return step * ((quarterSeconds + step - 1) / step) }

// What is kept of a metric in a quarter hour.
const (
	leastOf = iota
	meanOf
	largestOf
	stepsOf
	quarterParts
)

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

// quarters folds steps into quarter hours. Each is named by its last step: the
// quarter hour in which rows are written has two parts, and whoever reads joins
// them.
func quarters(t *tail) *tail {
	length := quarterOf(t.seconds)
	out := newTail(t.layout, t.order, quarterColumns(t.columns), length)
	n := len(t.order)
	f := newFold(n)
	for first := 0; first < len(t.times); {
		last := first + 1
		for last < len(t.times) && bucketEnd(t.times[last], length) == bucketEnd(t.times[first], length) {
			last++
		}
		row := out.add(t.times[last-1])
		for m := range t.columns {
			f.begin(t.seen[m*n:][:n])
			for _, steps := range t.rows[first:last] {
				f.take(steps[m*n:][:n])
			}
			f.end(row[m*quarterParts*n:], n, last-first)
		}
		first = last
	}
	return out
}

// bucketEnd is the end of the stretch of time that a step lies in: stretches end
// on multiples of their length.
func bucketEnd(t, length int64) int64 { return (t + length - 1) / length * length }

// fold sums up the steps of many components.
type fold struct {
	busy           []int          // those that did anything; the others are zero
	least, largest []segment.Code // of the busy, as keys, which have the order of numbers
	sum            []float32
	steps          []uint16
}

func newFold(n int) *fold {
	return &fold{nil, make([]segment.Code, n), make([]segment.Code, n), make([]float32, n), make([]uint16, n)}
}

func (f *fold) begin(seen []segment.Code) {
	f.busy = f.busy[:0]
	for i, c := range seen {
		if c != 0 {
			k := len(f.busy)
			f.busy = append(f.busy, i)
			f.least[k], f.largest[k], f.sum[k], f.steps[k] = math.MaxUint16, 0, 0, 0
		}
	}
}

// take takes a step.
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

// end writes what came of so many steps into the parts of a row.
func (f *fold) end(row []segment.Code, n, steps int) {
	clear(row[:stepsOf*n])
	all := segment.Round(float64(steps))
	for i := range n {
		row[stepsOf*n+i] = all
	}
	for k, i := range f.busy {
		row[stepsOf*n+i] = segment.Round(float64(f.steps[k]))
		if f.steps[k] == 0 {
			row[leastOf*n+i], row[meanOf*n+i], row[largestOf*n+i] = segment.Missing, segment.Missing, segment.Missing
			continue
		}
		row[leastOf*n+i], row[largestOf*n+i] = f.least[k].Unkey(), f.largest[k].Unkey()
		row[meanOf*n+i] = segment.Round(float64(f.sum[k]) / float64(f.steps[k]))
	}
}
