package past

import (
	"math"
	"math/rand/v2"
	"testing"
)

// plainFit solves the equations of a fit by elimination, as a twin of curve.predict.
func plainFit(rows []features, latency, weight []float64) features {
	var a [numFeatures][numFeatures + 1]float64
	for i := range a {
		a[i][i] = priorWeight[i]
	}
	for n, x := range rows {
		for i := range x {
			for j := range x {
				a[i][j] += weight[n] * x[i] * x[j]
			}
			a[i][numFeatures] += weight[n] * x[i] * latency[n]
		}
	}
	for i := range a {
		for k := range a {
			if k == i {
				continue
			}
			f := a[k][i] / a[i][i]
			for j := i; j <= numFeatures; j++ {
				a[k][j] -= f * a[i][j]
			}
		}
	}
	var fit features
	for i := range fit {
		fit[i] = a[i][numFeatures] / a[i][i]
	}
	return fit
}

func TestCurveTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const keep = 0.99
	var k curve
	var rows []features
	var latency, weight []float64
	for range 200 {
		more := rng.NormFloat64()
		x := features{constant: 1, load: more, loadSquared: more * more, size: rng.NormFloat64(), reads: rng.Float64(), dayCos: rng.NormFloat64(), daySin: rng.NormFloat64()}
		y := 3 + 0.5*x[load] + 0.1*x[loadSquared] - 0.2*x[size] + x[reads] + 0.1*rng.NormFloat64()
		for i := range weight {
			weight[i] *= keep
		}
		rows, latency, weight = append(rows, x), append(latency, y), append(weight, 1)
		k.learn(&x, y, 1, keep)
	}
	fit := plainFit(rows, latency, weight)
	for _, x := range rows {
		want := 0.0
		for i := range x {
			want += fit[i] * x[i]
		}
		if got, variance := k.predict(&x); math.Abs(got-want) > 1e-9 || variance <= 0 || variance > 1 {
			t.Fatalf("%g, want %g; variance %g", got, want, variance)
		}
	}
	far := features{constant: 1, size: 50}
	if _, variance := k.predict(&far); variance < 10 {
		t.Errorf("variance %g for requests that never were", variance)
	}
}

// TestTimeOfDay: the slow hours of a single day hardly change the expected latency of these hours. Hours
// that are slow on every day do.
func TestTimeOfDay(t *testing.T) {
	for days, want := range map[int64][2]float64{1: {0, 0.4}, 14: {0.75, 1}} {
		var k curve
		var m mix
		for tick := range days * daySeconds / TickSeconds {
			x := m.features(&m, TickSeconds*tick)
			k.learn(&x, 1+x[dayCos], 1, 1)
		}
		noon := m.features(&m, daySeconds/2)
		latency, _ := k.predict(&noon)
		if effect := 1 - latency; effect < want[0] || effect > want[1] {
			t.Errorf("after %d days the curve has learned %.2f of the effect of noon, want %g to %g", days, effect, want[0], want[1])
		}
	}
}

// TestDrift: while few parts of days are known, the assumed deviation counts; later, the parts count.
func TestDrift(t *testing.T) {
	var w drift
	if got := w.deviation(0.2); got != 0.2 {
		t.Errorf("before any part: %g", got)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for day := range int64(200) {
		mean := 0.05 * rng.NormFloat64()
		for tick := range int64(288) {
			w.add(mean, day*daySeconds+300*(tick+1), 0.99)
		}
	}
	if got := w.deviation(0.2); got < 0.04 || got > 0.06 {
		t.Errorf("after 200 days: %g, want 0.05", got)
	}
}
