package page

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

// decoded32 reads what float32s wrote.
func decoded32(data []byte) []float64 {
	var values []float64
	for ; len(data) > 0; data = data[4:] {
		values = append(values, float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
	}
	return values
}

func TestGapsAreNotZeros(t *testing.T) {
	in := []float64{0, nan, math.Copysign(0, -1), math.Inf(1), 2.5, math.Inf(-1), 1e300}
	want := []float64{0, nan, 0, nan, 2.5, nan, math.MaxFloat32}
	p := New(Options{Title: "t"})
	p.Section("s", Chart{At: []float64{1, 2, 3, 4, 5, 6, 7}, Series: []Series{{Values: in}}})
	got := decoded32(sheets(t, written(t, p))[0].Lines[0].Values)
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	if !slices.EqualFunc(got, want, same) {
		t.Errorf("values %v are drawn as %v, want %v", in, got, want)
	}
}

func TestPositions(t *testing.T) {
	tests := []struct {
		at   []float64
		want positions
	}{
		{[]float64{noon}, positions{From: noon, Count: 1}},
		{[]float64{noon, noon + 15, noon + 30}, positions{From: noon, Step: 15, Count: 3}},
		{[]float64{1, 2, 4}, positions{From: 1, Count: 3, Uneven: float64s([]float64{1, 2, 4})}},
	}
	for _, tt := range tests {
		got := evenly(tt.at)
		if got.From != tt.want.From || got.Step != tt.want.Step || got.Count != tt.want.Count || !slices.Equal(got.Uneven, tt.want.Uneven) {
			t.Errorf("positions %v are %+v, want %+v", tt.at, got, tt.want)
		}
	}
}

func TestStretch(t *testing.T) {
	tests := []struct {
		axis     Axis
		from, to float64
		want     string
	}{
		{Axis{Scale: Time}, noon, noon + 90, "2024-05-01 12:00:00 – 12:01:30 UTC"},
		{Axis{Scale: Time}, noon, noon + 86400, "2024-05-01 12:00:00 – 2024-05-02 12:00:00 UTC"},
		{Axis{Scale: Time}, noon, noon, "2024-05-01 12:00:00 UTC"},
		{Axis{Unit: "GB"}, 0.5, 12345, "0.5 GB – 12345 GB"},
	}
	for _, tt := range tests {
		if got := tt.axis.stretch(tt.from, tt.to); got != tt.want {
			t.Errorf("stretch %g to %g is %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
}

func TestLinesOfOneRoleDifferInColour(t *testing.T) {
	values := []float64{1}
	p := Chart{At: values, Series: []Series{
		{Role: Suspect, Values: values},
		{Values: values},
		{Role: Suspect, Values: values},
		{Role: Suspect, Values: values},
		{Role: Suspect, Values: values},
		{Role: Suspect, Values: values},
	}}.plot()
	var got []string
	for _, e := range p.Lines {
		got = append(got, e.Class)
	}
	want := "suspect-1 plain-1 suspect-2 suspect-3 suspect-4 suspect-1"
	if strings.Join(got, " ") != want {
		t.Errorf("classes %v, want %s", got, want)
	}
}

func TestEveryRoleHasItsColours(t *testing.T) {
	css := strings.ReplaceAll(asset("charts.css"), " ", "")
	for role, r := range roles {
		for n := range max(1, r.colors) {
			if class := Role(role).class(n); !strings.Contains(css, "."+class+"{") || !strings.Contains(css, "--"+class+":light-dark(") {
				t.Errorf("charts.css has no colour for %s", class)
			}
		}
	}
}

func TestHeatBounds(t *testing.T) {
	tests := []struct {
		name      string
		value     Axis
		values    []float64
		low, high float64
	}{
		{"of the data", Axis{}, []float64{3, nan, -1, math.Inf(1)}, -1, 3},
		{"given", Axis{Min: 0, Max: 10}, []float64{3, 11}, 0, 10},
		{"logarithmic", Axis{Scale: Log}, []float64{0, 0.5, 8}, 0.5, 8},
		{"of nothing", Axis{Scale: Log}, []float64{nan, 0}, 1, 1},
	}
	for _, tt := range tests {
		low, high := Heat{Value: tt.value, Values: [][]float64{tt.values}}.bounds()
		if low != tt.low || high != tt.high {
			t.Errorf("%s: bounds %g to %g, want %g to %g", tt.name, low, high, tt.low, tt.high)
		}
	}
}
