package explain

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
)

// TestSplit: a clear change is found to the step, and the steps between which
// it lies hold the true one nineteen times in twenty.
func TestSplit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		change   float64
		off, out int // steps that are tolerated, cases of 400 beyond the interval
	}{{10, 0, 0}, {3, 3, 20}, {1.2, 40, 24}} {
		missed, off := 0, 0
		for range 400 {
			at := 40 + rng.IntN(100)
			x := make([]float64, 200)
			for i := range x {
				x[i] = rng.NormFloat64()
				if i >= at {
					x[i] += tt.change
				}
			}
			got, early, late, certain := split(x, len(x))
			if early > got || late < got || tt.change >= 3 && !certain {
				t.Fatalf("%d is not between %d and %d, or not certain: %t", got, early, late, certain)
			}
			if at < early || at > late {
				missed++
			}
			off = max(off, int(math.Abs(float64(got-at))))
		}
		if missed > tt.out || off > tt.off {
			t.Errorf("change of %g deviations: %d of 400 outside, off by up to %d steps", tt.change, missed, off)
		}
	}
}

// TestNoSplit: noise alone has no change in it.
func TestNoSplit(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		x := make([]float64, 30+rng.IntN(300))
		for i := range x {
			x[i] = 3 + rng.NormFloat64()
		}
		if at, _, _, certain := split(x, len(x)); certain {
			t.Fatalf("%d steps of noise change for certain at %d", len(x), at)
		}
	}
}

// TestOnsetBeforeTheData: what was so when the data began has no onset in them;
// seconds in which there was nothing to do do not count.
func TestOnsetBeforeTheData(t *testing.T) {
	system, schema := servers(t)
	await := metric.Index(schema.Metrics, "await")
	drive, _ := system.Lookup("ios4/sda")
	group := system.Components[drive].Group - 1
	late := newHistory(system, schema, []string{"await"}, 150)
	play(system, schema, 3, 0.05, map[string]map[string]float64{"ios4": {"await": 4}}, func(row *table.Row) {
		if row.End <= begin+250 {
			late.push(row)
		}
	})
	if got := late.onset(await, drive, group, begin+100, begin+250); got.At > begin+100 {
		t.Errorf("odd at 100 s, but only since %d s", got.At-begin)
	}
	for name, tt := range map[string]struct {
		from, to int64 // of the data that are seen
		idle     int64 // until then nobody does anything
		want     Onset
	}{
		"within":         {0, 250, 0, Onset{At: begin + 120, Early: begin + 120, Late: begin + 120}},
		"at once":        {130, 250, 0, Onset{At: begin + 130, Early: begin + 130, Late: begin + 130, Earlier: true}},
		"after a rest":   {0, 250, 125, Onset{At: begin + 125, Early: begin + 125, Late: begin + 125, Earlier: true}},
		"soon":           {108, 250, 0, Onset{At: begin + 120, Early: begin + 120, Late: begin + 120}},
		"hardly any":     {0, 6, 0, Onset{At: begin, Early: begin, Late: begin, Earlier: true}},
		"nothing at all": {0, 0, 0, Onset{Earlier: true}},
	} {
		h := newHistory(system, schema, []string{"await"}, 150)
		play(system, schema, 3, 0.05, map[string]map[string]float64{"ios4": {"await": 4}}, func(row *table.Row) {
			if row.End <= begin+tt.from || row.End > begin+tt.to {
				return
			}
			if row.End <= begin+tt.idle {
				clear(row.Values[await])
				clear(row.Values[metric.Index(schema.Metrics, "tps")])
			}
			h.push(row)
		})
		if got := h.onset(await, drive, group, begin+250, begin+250); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}
