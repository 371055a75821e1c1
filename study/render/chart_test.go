package render

import (
	"math"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// TestChart holds curves over common positions: between its points a
// distribution is as high as at the next one, and the axis is T16's.
func TestChart(t *testing.T) {
	c := study.Chart{
		Name: "slowdown-cdf", Title: "Slowdown", Source: "T16 Figure 4", X: study.Axis{Title: "slowdown", From: 1, To: 5}, Y: study.Axis{Title: "share of hours with a smaller value", From: 0.95, To: 1},
		Curves: []study.Curve{{Name: "S", Points: []study.Point{{X: 1, Y: 0.5}, {X: 1.5, Y: 0.98}, {X: 7, Y: 1}}}, {Name: "T1", Points: []study.Point{{X: 1.2, Y: 0.9}, {X: 4, Y: 1}}}},
	}
	got := chart(&c)
	if want := []float64{1, 1.2, 1.5, 4, 5}; !slices.Equal(got.At, want) {
		t.Fatalf("positions %v, want %v", got.At, want)
	}
	nan := math.NaN()
	for i, want := range [][]float64{{0.5, 0.98, 0.98, 1, 1}, {nan, 0.9, 1, 1, 1}} {
		for k, y := range got.Series[i].Values {
			if y != want[k] && !(math.IsNaN(y) && math.IsNaN(want[k])) {
				t.Errorf("%s at %v is %v, want %v", got.Series[i].Name, got.At[k], y, want[k])
			}
		}
	}
	if got.Y.Min != 0.95 || got.Y.Max != 1 {
		t.Errorf("the axis is from %v to %v", got.Y.Min, got.Y.Max)
	}
}

func TestPositions(t *testing.T) {
	points := func(xs ...float64) []study.Curve {
		var c study.Curve
		for _, x := range xs {
			c.Add(x, x)
		}
		return []study.Curve{c}
	}
	tests := map[string]struct {
		chart study.Chart
		want  []float64
	}{
		"no axis":         {study.Chart{Curves: points(3, 7)}, []float64{3, 7}},
		"all beyond":      {study.Chart{X: study.Axis{From: 1, To: 2}, Curves: points(3, 7)}, []float64{3, 7}},
		"cut":             {study.Chart{X: study.Axis{From: 2, To: 5}, Curves: points(1, 3, 7)}, []float64{2, 3, 5}},
		"none before":     {study.Chart{X: study.Axis{From: 2, To: 5}, Curves: points(3, 7)}, []float64{3, 5}},
		"zero of a log":   {study.Chart{X: study.Axis{To: 5, Log: true}, Curves: points(1, 3)}, []float64{1, 3}},
		"ends are points": {study.Chart{X: study.Axis{From: 1, To: 5}, Curves: points(1, 5)}, []float64{1, 5}},
	}
	for name, test := range tests {
		if got := positions(&test.chart); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestJoined: what is shown at several thresholds is one chart, and no two of
// its curves have one name.
func TestJoined(t *testing.T) {
	one := func(name, title string, curves ...string) study.Chart {
		c := study.Chart{Name: name, Title: title}
		for _, n := range curves {
			c.Curves = append(c.Curves, study.Curve{Name: n})
		}
		return c
	}
	got := joinedCharts([]study.Chart{one("runs-1.5", "Runs", "1.5×"), one("load-1.5", "Load", "count"), one("ever", "Ever", "drives"), one("runs-2", "Runs", "2×"), one("load-2", "Load", "count"), one("load-4", "Load", "count")})
	want := []study.Chart{one("runs-1.5", "Runs", "1.5×", "2×"), one("load-1.5", "Load", "count at 1.5×", "count at 2×", "count at 4×"), one("ever", "Ever", "drives")}
	if len(got) != len(want) {
		t.Fatalf("%d charts, want %d", len(got), len(want))
	}
	for i := range want {
		names := func(c study.Chart) (all []string) {
			for _, curve := range c.Curves {
				all = append(all, curve.Name)
			}
			return all
		}
		if got[i].Title != want[i].Title || !slices.Equal(names(got[i]), names(want[i])) {
			t.Errorf("%s has %q, want %s with %q", got[i].Title, names(got[i]), want[i].Title, names(want[i]))
		}
	}
}
