package render

import (
	"fmt"
	"io"
	"math"

	"github.com/limpet-storage/limpet/report/picture"
	"github.com/limpet-storage/limpet/study"
)

// barWidth is the number of columns of a bar: with its label, most lines fit into a terminal.
const barWidth = 24

// textShares draws the shares that T16 also has, a line each, on one logarithmic axis up to 100 %:
//
//	...........==|o=........  slow drive hours at 2×
func textShares(w io.Writer, p *study.Part, all *study.Findings, style picture.Style) {
	var shares []*study.Figure
	low := 1.0
	for _, t := range topics() {
		for _, f := range t.figures(p) {
			if !headline(f, all) || f.Unit != study.Share || f.None || f.T16 == nil || f.Number < smallest || *f.T16 < smallest {
				continue
			}
			shares = append(shares, f)
			low = min(low, f.Number, *f.T16)
		}
	}
	if len(shares) == 0 {
		return
	}
	low = min(math.Pow(10, math.Floor(math.Log10(low))), 0.1) // the axis covers at least a factor of 10
	fmt.Fprintln(w, "  This fleet and the study T16")
	wrap(w, 4, 4, fmt.Sprintf("Shares from %s to 100 %% on a logarithmic axis. %c is this fleet, %c is its confidence interval, %c is the study T16",
		study.Share.Text(low), style.Value(), style.Band(), style.Median()))
	for _, f := range shares {
		band := picture.Quantiles{Low: f.Number, Median: *f.T16, High: f.Number}
		if f.Interval != nil {
			band.Low, band.High = max(f.Interval.Low, low), f.Interval.High
		}
		wrap(w, 4, 4+barWidth+2, picture.Bar(style, low, 1, band, []float64{f.Number}, barWidth)+"  "+label(f.Name))
	}
}
