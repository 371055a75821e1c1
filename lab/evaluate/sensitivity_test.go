package evaluate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/internal/checkout"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

// TestBoundNames: the bounds that are varied are those of the first table of docs/method.md.
func TestBoundNames(t *testing.T) {
	_, rest, _ := strings.Cut(checkout.Read(t, "docs/method.md"), "<!-- bounds -->\n")
	var want []string
	for _, line := range strings.Split(rest, "\n")[2:] {
		cells := strings.Split(line, "|")
		if len(cells) < 7 {
			break
		}
		want = append(want, strings.Trim(cells[1], " `"))
	}
	have := BoundNames()
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(have, want) {
		t.Errorf("varied are %v, docs/method.md has %v", have, want)
	}
}

func TestVary(t *testing.T) {
	for _, tt := range []struct {
		bound        string
		half, double float64
	}{
		{"criteria.clear_times", math.Sqrt(1.5), 2.25},
		{"criteria.half_share", 1. / 3, 2. / 3},
		{"criteria.nearly_all_share", 4.5 / 5.5, 18. / 19},
		{"criteria.over_seconds", 3600, 14400},
		{"stall.many_alone", 8, 32},
		{"skew.nearest_seconds", 1, 4},
	} {
		for d, want := range map[Direction]float64{toHalf: tt.half, toDouble: tt.double} {
			o := engine.DefaultOptions()
			if _, got, err := vary(&o, tt.bound, d); err != nil || math.Abs(got-want) > 1e-12 {
				t.Errorf("%s %s: %g, %v, want %g", tt.bound, d, got, err, want)
			}
		}
	}
	o := engine.DefaultOptions()
	if _, _, err := vary(&o, "slow.speed", toHalf); err == nil {
		t.Error("a bound that does not exist is varied")
	}
	if _, _, err := vary(&o, "criteria.recover_seconds", toDouble); err != nil || o.Criteria.RecoverSeconds != 2700 {
		t.Errorf("%d s, %v", o.Criteria.RecoverSeconds, err)
	}
}

// TestSensitivity: a bound that nothing reaches changes nothing, and a server that may be silent for
// longer is told later.
func TestSensitivity(t *testing.T) {
	o := DefaultSensitivity()
	o.Quick()
	if testing.Short() {
		o.Incidents.ConcurrentSystem.LUNs /= 3
	}
	o.Testbench.Faults = []testbench.Fault{testbench.DiskHog}
	o.Bounds = []string{"criteria.silent_seconds", "stall.many_alone", "symptom.hog_percent"}
	r, err := Sensitivity(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Usual[onIncidents].Found != 2 || r.Usual[onTestbench].Found != 1 || len(r.Variants) != 6 {
		t.Fatalf("found %d and %d, %d variants", r.Usual[onIncidents].Found, r.Usual[onTestbench].Found, len(r.Variants))
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		for k := range numRunKinds {
			if concerns(v.Bound, k) && v.Of[k].Faults != r.Usual[k].Faults {
				t.Errorf("%s %s: %d faults, %d by default", v.Bound, v.Direction, v.Of[k].Faults, r.Usual[k].Faults)
			}
		}
	}
	first := func(c *Counts) float64 { return slices.Min(c.Latencies) }
	half, usual, double := first(&r.Variants[0].Of[onIncidents]), first(&r.Usual[onIncidents]), first(&r.Variants[1].Of[onIncidents])
	if !(half < usual && usual < double) {
		t.Errorf("a silent server is told after %g, %g and %g s", half, usual, double)
	}
	if r.Variants[0].changes(&r.Usual) == "nothing" || r.Variants[2].changes(&r.Usual) != "nothing" || r.Variants[3].changes(&r.Usual) != "nothing" {
		t.Errorf("%q, %q, %q", r.Variants[0].changes(&r.Usual), r.Variants[2].changes(&r.Usual), r.Variants[3].changes(&r.Usual))
	}
	report := r.Report(nil)
	var text strings.Builder
	if err := report.Text(&text); err != nil || !strings.Contains(text.String(), "criteria.silent_seconds") || len(report.Figures) != 24 {
		t.Errorf("%v, %d figures:\n%s", err, len(report.Figures), text.String())
	}
}
