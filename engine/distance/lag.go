package distance

import (
	"math"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Lag compares the logarithm of each member's value x with the median of these logarithms in its
// group. The score of a member is 1 − log x / median(log x) in the step of the window in which this
// number is largest. The score is 0 if the member was never below the median.
//
// Each lost segment halves the congestion window. So on a logarithmic scale, repeated losses appear
// as a steady decline. A step can be compared if at least three members have a value and the median
// is above 0. A member has a score only if it has a value in at least one of these steps. This is
// the time-series test of F10 §10.1.
type Lag struct {
	logs []float64 // logarithms of one step, by member
	pool []float64
}

// Largest returns +Inf, because the score has no upper bound.
func (m *Lag) Largest() float64 { return math.Inf(1) }

// Score sets score[i] to the score of member i in the window.
func (m *Lag) Score(x *Sample, score []float64) Bins {
	for i := range score {
		score[i] = table.Missing
	}
	m.logs = grow(m.logs, len(x.Values))
	for t := range x.Values[0] {
		if centre := m.step(x, t); centre > 0 {
			m.compare(centre, score)
		}
	}
	return Bins{}
}

// compare compares all members in one step. The parameter `centre` is the median of their
// logarithms in this step. compare raises the score of each member that is farther below the median
// than in all earlier steps.
func (m *Lag) compare(centre float64, score []float64) {
	for i, l := range m.logs {
		if table.IsMissing(l) {
			continue
		}
		behind := max(1-l/centre, 0)
		if table.IsMissing(score[i]) || behind > score[i] {
			score[i] = behind
		}
	}
}

// step computes the logarithms of all values in step t and returns their median. It returns 0 if
// too few members have a value. Score skips a step whose median is 0 or less. In such a step, most
// congestion windows are at their minimum of one segment. The score cannot be computed, because it
// is divided by the median.
func (m *Lag) step(x *Sample, t int) float64 {
	m.pool = m.pool[:0]
	for i, values := range x.Values {
		m.logs[i] = table.Missing
		if v := values[t]; v > 0 {
			m.logs[i] = math.Log(v)
			m.pool = append(m.pool, m.logs[i])
		}
	}
	if len(m.pool) < topology.MinPeers {
		return 0
	}
	return Median(m.pool)
}
