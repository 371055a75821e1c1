package report

import (
	"math"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report/page"
)

// A spike of one window is nothing, what lasts for most of five is.
func TestWhatLastsIsShown(t *testing.T) {
	no := table.Missing
	for _, tt := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{1, 1, 9, 1, 1, 1}, 1},
		{[]float64{1, 3, 1, 3, 3, 1, 1, 1}, 3},
		{[]float64{1, 1, no, no, no, no, 7, no, no}, no},
		{[]float64{1, 2, 1, no, no, no, 7}, 1},
		{[]float64{no, no, no}, no},
		{[]float64{4}, 4},
		{nil, no},
	} {
		if got := lasting(tt.values); got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("%v: %g, want %g", tt.values, got, tt.want)
		}
	}
}

// An axis has room for what stands out and for the crowd, and none for single spikes.
func TestExtentOfAPlot(t *testing.T) {
	crowd := make([]float64, 2000)
	for i := range crowd {
		crowd[i] = 10
	}
	crowd[7], crowd[8] = 5000, 0
	for _, tt := range []struct {
		scale     page.Scale
		low, high float64
	}{{page.Linear, 0, 48}, {page.Log, 10 / 1.2, 48}} {
		low, high := extent(tt.scale, [][]float64{crowd}, [][]float64{{40, table.Missing, 20}})
		if math.Abs(low-tt.low) > 1e-9 || math.Abs(high-tt.high) > 1e-9 {
			t.Errorf("%s: from %g to %g, want %g to %g", tt.scale, low, high, tt.low, tt.high)
		}
	}
	if low, high := extent(page.Log, nil, nil); low <= 0 || low >= high {
		t.Errorf("of nothing: from %g to %g", low, high)
	}
}
