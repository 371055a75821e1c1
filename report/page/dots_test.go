package page

import (
	"math"
	"slices"
	"testing"
)

func TestTicksOfDots(t *testing.T) {
	tests := []struct {
		axis   Axis
		values []float64
		want   []float64
	}{
		{Axis{Max: 100}, []float64{3, 4}, []float64{0, 20, 40, 60, 80, 100}},
		{Axis{}, []float64{38, 1}, []float64{0, 5, 10, 15, 20, 25, 30, 35}},
		{Axis{}, []float64{-10, 12}, []float64{-10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10, 12}},
		{Axis{}, []float64{0.4, 0.9}, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}},
		{Axis{}, []float64{0, 0}, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{Axis{}, []float64{nan, math.Inf(1)}, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{Axis{Scale: Log}, []float64{0.5, 38, 0}, []float64{0.5, 1, 2, 5, 10, 20}},
		{Axis{Scale: Log}, []float64{0.003, 38}, []float64{0.01, 0.1, 1, 10}},
	}
	for _, tt := range tests {
		d := Dots{X: tt.axis, Rows: make([]string, len(tt.values)), Series: []DotSeries{{Values: tt.values}}}
		got := d.scale(0, 1).ticks()
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
		if !slices.EqualFunc(got, tt.want, near) {
			t.Errorf("%+v of %v: ticks %v, want %v", tt.axis, tt.values, got, tt.want)
		}
	}
}

func TestDotsLieOnTheirAxis(t *testing.T) {
	d := Dots{X: Axis{Min: -10, Max: 10}, Rows: []string{"r"}, Series: []DotSeries{{Values: []float64{0}}}}
	s := d.scale(100, 200)
	for v, want := range map[float64]float64{-10: 100, 0: 150, 10: 200, 40: 200, -40: 100} {
		if got := s.at(v); got != want {
			t.Errorf("%g lies at %g, want %g", v, got, want)
		}
	}
	if got := len(d.drawing().Rows[0].Dots); got != 1 {
		t.Errorf("%d dots for one value", got)
	}
	d.Series[0].Values[0] = nan
	if got := len(d.drawing().Rows[0].Dots); got != 0 {
		t.Errorf("%d dots for a missing value", got)
	}
}

// TestBars: a bar goes from end to end, and from the edge of a logarithmic axis
// where it begins at zero; the axis has room for it.
func TestBars(t *testing.T) {
	tests := map[string]struct {
		scale     Scale
		low, high float64
		from, to  string
		bars      int
	}{
		"linear":                 {Linear, 20, 80, "20%", "80%", 1},
		"logarithmic":            {Log, 10, 100, "50%", "100%", 1},
		"logarithmic, from zero": {Log, 0, 100, "0%", "100%", 1},
		"no upper end":           {Linear, 20, nan, "", "", 0},
	}
	for name, tt := range tests {
		d := Dots{X: Axis{Scale: tt.scale}, Rows: []string{"r", "s"}, Series: []DotSeries{
			{Name: "here", Values: []float64{50, 100}, Low: []float64{tt.low, nan}, High: []float64{tt.high, nan}},
			{Name: "there", Values: []float64{1, 100}},
		}}
		bars := d.drawing().Rows[0].Bars
		if len(bars) != tt.bars || len(bars) > 0 && (bars[0].From != tt.from || bars[0].To != tt.to) {
			t.Errorf("%s: %+v", name, bars)
		}
		if len(d.drawing().Rows[1].Bars) > 0 {
			t.Errorf("%s: a bar without ends", name)
		}
	}
	d := Dots{Rows: []string{"r"}, Series: []DotSeries{{Name: "here", Values: []float64{1}, Low: []float64{-1}, High: []float64{9}}}}
	if s := d.scale(0, 1); s.low != -1 || s.high != 9 {
		t.Errorf("the axis is from %g to %g", s.low, s.high)
	}
	if got, want := d.drawing().Rows[0].Bars[0].Title, "r, here: -1 to 9"; got != want {
		t.Errorf("the bar says %q, want %q", got, want)
	}
}
