package report

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/page"
	"github.com/limpet-storage/limpet/study/finding"
)

// bars show how sure shares are, and where T16's lie, on an axis that is
// logarithmic where one is less than 1 %.
type bars struct {
	rows                 []string
	low, high, here, t16 []float64 // in percent, NaN where there is none
}

// smallest is the share from which on there is a place on the axis: shares of
// one hour in millions would squeeze all others.
const smallest = 1e-5

// add adds a share; other values are passed over.
func (b *bars) add(name string, v finding.Value) {
	if v.Unit != finding.Share || v.None || v.Number < smallest {
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
	b.low, b.high = append(b.low, 100*low), append(b.high, 100*high)
	b.here, b.t16 = append(b.here, 100*v.Number), append(b.t16, 100*t16)
}

// block appends the drawing, where there is something to draw.
func (b *bars) block(blocks []page.Block) []page.Block {
	if len(b.rows) == 0 {
		return blocks
	}
	d := page.Dots{Title: "Shares with their 95 % intervals", X: page.Axis{Label: "share", Unit: "%"}, Rows: b.rows}
	if slices.Min(b.here) < 1 {
		d.X.Scale = page.Log
	}
	add := func(s page.DotSeries) {
		for _, v := range s.Values {
			if !math.IsNaN(v) {
				d.Series = append(d.Series, s)
				return
			}
		}
	}
	add(page.DotSeries{Name: "interval from", Role: page.Peer, Values: b.low})
	add(page.DotSeries{Name: "to", Role: page.Peer, Values: b.high})
	add(page.DotSeries{Name: "T16", Ring: true, Values: b.t16})
	add(page.DotSeries{Name: "here", Role: page.Suspect, Values: b.here})
	return append(blocks, d)
}
