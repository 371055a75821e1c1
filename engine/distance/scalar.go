package distance

import (
	"math"
)

// fromMedian computes the median of the group in each step. The score of a component is the sum,
// over all steps of the window, of the absolute difference between the component's value and this
// median (L13 §5.3).
type fromMedian struct {
	series, column []float64
}

func (m *fromMedian) Largest() float64 { return math.Inf(1) }

func (m *fromMedian) Score(x *Sample, score []float64) Bins {
	steps := len(x.Values[0])
	m.series = grow(m.series, steps)
	for t := range steps {
		m.column = m.column[:0]
		for _, values := range x.Values {
			if v := values[t]; v == v {
				m.column = append(m.column, v)
			}
		}
		if len(m.column) > 0 {
			m.series[t] = Median(m.column)
		}
	}
	for i, values := range x.Values {
		score[i] = 0
		for t, v := range values {
			if v == v {
				score[i] += math.Abs(v - m.series[t])
			}
		}
	}
	return Bins{}
}

// thresh uses the largest value of a component as its score, and does not compare peers. Most
// monitoring systems work in this way: they raise an alarm if a value is above a threshold. L13
// §5.3 compares the CDF distance with this simple measure.
type thresh struct{}

func (thresh) Largest() float64 { return math.Inf(1) }

func (thresh) Score(x *Sample, score []float64) Bins {
	for i, values := range x.Values {
		score[i] = 0
		for _, v := range values {
			if v > score[i] {
				score[i] = v
			}
		}
	}
	return Bins{}
}
