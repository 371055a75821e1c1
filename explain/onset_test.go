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
			got, early, late := split(x)
			if early > got || late < got {
				t.Fatalf("%d is not between %d and %d", got, early, late)
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

// TestOnsetBeforeTheData: what was never seen normal, or only for a moment, has
// no onset in the data.
func TestOnsetBeforeTheData(t *testing.T) {
	system, schema := servers(t)
	h := newHistory(system, schema, []string{"await"})
	await := metric.Index(schema.Metrics, "await")
	drive, _ := system.Lookup("ios4/sda")
	group := system.Components[drive].Group - 1
	play(system, schema, 3, 0.1, map[string]map[string]float64{"ios4": {"await": 4}}, func(row *table.Row) {
		if row.End <= begin+250 {
			h.push(row)
		}
	})
	if got := h.onset(await, drive, group, begin+250, true); !got.Earlier || got.At != begin {
		t.Errorf("never seen normal: %+v", got)
	}
	if got := h.onset(await, drive, group, begin+250, false); got.Earlier || got.At != begin+120 {
		t.Errorf("seen normal: %+v, want %d", got, begin+120)
	}
	if got := h.onset(await, drive, group, begin+6, false); !got.Earlier {
		t.Errorf("six steps: %+v", got)
	}
}
