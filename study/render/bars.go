package render

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/study"
)

// bars is a drawing of shares with their confidence intervals and with T16's shares. Its axis is
// logarithmic if a share is below 1 %.
type bars struct {
	rows                 []string
	low, high, here, t16 []float64 // in percent; NaN: none
}

// smallest is the smallest share on the axis. Shares of one hour in millions would make the
// axis so long that the other shares could not be compared.
const smallest = 1e-5

// Add adds a share. It ignores values of other units.
func (b *bars) Add(name string, v study.Value) {
	if v.Unit != study.Share || v.None || v.Number < smallest {
		return
	}
	low, high, t16 := math.NaN(), math.NaN(), math.NaN()
	if v.Interval != nil {
		low, high = v.Interval.Low, v.Interval.High
	}
	if v.T16 != nil {
		t16 = *v.T16
	}
	b.rows = append(b.rows, name)
	b.low, b.high = append(b.low, lowerEnd(low)), append(b.high, 100*high)
	b.here, b.t16 = append(b.here, 100*v.Number), append(b.t16, 100*t16)
}

// lowerEnd returns the lower end of a bar in percent; 0 if it is too small for the axis.
func lowerEnd(low float64) float64 {
	if low < smallest {
		return 0
	}
	return 100 * low
}

// Block appends the drawing to blocks, if there are shares.
func (b *bars) Block(blocks []page.Block) []page.Block {
	if len(b.rows) == 0 {
		return blocks
	}
	d := page.Dots{Title: "Shares with their 95 % confidence intervals", X: page.Axis{Label: "share", Unit: "%"}, Rows: b.rows}
	if slices.Min(b.here) < 1 {
		d.X.Scale = page.Log
	}
	if slices.ContainsFunc(b.t16, func(v float64) bool { return !math.IsNaN(v) }) {
		d.Series = append(d.Series, page.DotSeries{Name: "T16", Ring: true, Values: b.t16})
	}
	d.Series = append(d.Series, page.DotSeries{Name: "this fleet", Role: page.Suspect, Values: b.here, Low: b.low, High: b.high})
	return append(blocks, d)
}
