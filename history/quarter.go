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
	f := newFold(len(t.order))
	for first := 0; first < len(t.times); {
		last := first + 1
		for last < len(t.times) && bucketEnd(t.times[last], length) == bucketEnd(t.times[first], length) {
			last++
		}
		row := out.add(t.times[last-1])
		for m := range t.columns {
			f.begin()
			for _, steps := range t.rows[first:last] {
				f.take(steps[m*len(t.order):][:len(t.order)])
			}
			f.end(row[m*quarterParts*len(t.order):])
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
	least, largest []segment.Code // as keys, which have the order of numbers
	sum            []float32
	steps          []uint16
}

func newFold(n int) *fold {
	return &fold{make([]segment.Code, n), make([]segment.Code, n), make([]float32, n), make([]uint16, n)}
}

func (f *fold) begin() {
	for i := range f.least {
		f.least[i] = math.MaxUint16
	}
	clear(f.largest)
	clear(f.sum)
	clear(f.steps)
}

// take takes a step.
func (f *fold) take(codes []segment.Code) {
	n := len(codes)
	least, largest, sum, steps := f.least[:n], f.largest[:n], f.sum[:n], f.steps[:n]
	for i, c := range codes {
		if c == segment.Missing {
			continue
		}
		k := c.Key()
		least[i], largest[i] = min(least[i], k), max(largest[i], k)
		sum[i] += math.Float32frombits(uint32(c) << 16)
		steps[i]++
	}
}

// end writes what came of it.
func (f *fold) end(row []segment.Code) {
	n := len(f.steps)
	for i, steps := range f.steps {
		least, mean, largest := segment.Missing, segment.Missing, segment.Missing
		if steps > 0 {
			least, largest = f.least[i].Unkey(), f.largest[i].Unkey()
			mean = segment.Round(float64(f.sum[i]) / float64(steps))
		}
		row[leastOf*n+i], row[meanOf*n+i], row[largestOf*n+i] = least, mean, largest
		row[stepsOf*n+i] = segment.Round(float64(steps))
	}
}
