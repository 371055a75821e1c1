package ranking

import (
	"math"

	"github.com/limpet-storage/limpet/engine/look"
)

// Glyphs are the characters of a bar.
type Glyphs struct{ Axis, Band, Median, Value string }

// The glyphs of terminals with Unicode, and of all others.
var (
	Unicode = Glyphs{"·", "▒", "┃", "●"}
	ASCII   = Glyphs{".", "=", "|", "o"}
)

// Bar draws a value on a logarithmic axis beside the band of its peers. The axis goes from the
// smallest to the largest value of the group.
func (g *Glyphs) Bar(b *look.Band, value float64, width int) string {
	low, high := math.Log(b.Least), math.Log(b.Most)
	// An axis is at least as long as from one half to twice the median, so that a group without
	// differences does not look as if it had some.
	low, high = min(low, math.Log(b.Median/2)), max(high, math.Log(b.Median*2))
	at := func(v float64) int {
		share := (math.Log(v) - low) / (high - low)
		return min(max(int(math.Round(share*float64(width-1))), 0), width-1)
	}
	from, to, middle, dot := at(b.Low), at(b.High), at(b.Median), at(value)
	text := ""
	for i := range width {
		switch {
		case i == dot:
			text += g.Value
		case i == middle:
			text += g.Median
		case i >= from && i <= to:
			text += g.Band
		default:
			text += g.Axis
		}
	}
	return text
}
