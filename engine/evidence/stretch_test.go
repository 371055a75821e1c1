package evidence

import (
	"math"
	"testing"

	"github.com/limpet-storage/limpet/internal/quantile"
)

// TestChangeCovers: the intervals of an effect and of its onset contain the truth in nine
// of ten cases, whether or not noise lasts from step to step, for any effect, while it
// lasts and after its end.
func TestChangeCovers(t *testing.T) {
	const cases, begins = 100, 400
	for _, tt := range []struct {
		keeps, times float64
		steps        int
	}{
		{0, 10, 40},
		{0, 3, 120},
		{0, 2, 240},
		{0, 1.5, 480},
		{0, 1.2, 1920},
		{0.5, 3, 120},
		{0.5, 1.5, 480},
		{0.8, 3, 240},
		{0.8, 1.5, 960},
	} {
		effect, onset, low := 0, 0, 0.0
		var width []float64
		for seed := range uint64(cases) {
			r := newRack(seed, 12, 0.3, tt.keeps)
			for range begins {
				r.next()
			}
			r.slower = math.Log(tt.times)
			for range tt.steps {
				r.next()
			}
			if seed%2 == 1 {
				r.slower = 0
				for range 10 {
					r.next()
				}
			}
			s := r.BestStretch(0)
			off := s.Mean() - math.Log(tt.times)
			if math.Abs(off) <= s.HalfWidth(r.Spread(0)) {
				effect++
			}
			low += off / cases
			early, late := s.ChangeInterval(r.Spread(0), 1)
			if early <= begins && begins <= late {
				onset++
			}
			width = append(width, float64(late-early))
		}
		t.Logf("noise that keeps %g, %g times for %d steps: %d of %d effects hold, %+.1f %% off on average; %d onsets, within %.0f steps",
			tt.keeps, tt.times, tt.steps, effect, cases, 100*low, onset, quantile.Median(width))
		if effect < cases*9/10 || onset < cases*9/10 || math.Abs(low) > 0.03 {
			t.Errorf("noise that keeps %g, %g times for %d steps: of %d, %d effects hold, and %d onsets; %+.1f %% off", tt.keeps, tt.times, tt.steps, cases, effect, onset, 100*low)
		}
	}
}
