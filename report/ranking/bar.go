package ranking

import (
	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/report/picture"
)

// Bar draws a value on a logarithmic axis beside the band of its peers. The axis goes from the
// smallest to the largest value of the group, and at least from half to twice the median. So a
// group with tiny differences does not look as if it had large ones.
func Bar(s picture.Style, b *look.Band, value float64, width int) string {
	low, high := min(b.Min, b.Median/2), max(b.Max, b.Median*2)
	return picture.Bar(s, low, high, picture.Quantiles{Low: b.Low, Median: b.Median, High: b.High}, []float64{value}, width)
}
