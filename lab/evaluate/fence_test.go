package evaluate

import (
	"fmt"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
)

// TestFences: a component is accused once, when its latency was above the limit for a minute, and not
// for a shorter time, by each rule.
func TestFences(t *testing.T) {
	for i := range Fences {
		w := newFenceWatch(&Fences[i], 6)
		var got []string
		for end := int64(0); end < 300; end += 5 {
			row := []float64{4, 5, 6, 4.5, 5.5, 5}
			switch {
			case end >= 200:
				row[2] = 50
			case end >= 100 && end < 150:
				row[1] = 50 // too short
			}
			if end == 230 {
				row[2] = table.Missing // which ends nothing
			}
			for _, c := range w.row(end, row) {
				got = append(got, fmt.Sprint(c, " at ", end))
			}
		}
		if fmt.Sprint(got) != "[2 at 260]" {
			t.Errorf("%s: %v", Fences[i].Name, got)
		}
	}
	if _, err := ParseFence("five"); err == nil {
		t.Error("an unknown rule is taken")
	}
}

// TestFenceLimits: the limits of a small group, counted by hand.
func TestFenceLimits(t *testing.T) {
	for name, want := range map[string]string{"three-deviations": "6.00", "median": "9.00"} {
		f, err := ParseFence(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%.2f", f.limit([]float64{2, 3, 4})); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
