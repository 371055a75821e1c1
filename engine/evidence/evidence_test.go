package evidence

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// rack is a group whose members have normal noise with a correlation from step to step.
type rack struct {
	*Monitor
	rng    *rand.Rand
	spread float64
	keeps  float64
	heavy  bool        // the noise has a heavy tail: Student's distribution with 3 degrees of freedom
	blocks [][]float32 // hours of healthy drives, as logarithms of the ratio to their peers; nil where noise is drawn
	now    [][]float32 // by member: what is left of its present hour
	values []float64
	slower float64 // of the first member, as a logarithm
	step   int64
}

func newRack(seed uint64, members int, spread, keeps float64) *rack {
	return &rack{
		Monitor: New(DefaultOptions(), criteria.DefaultOptions(), members, 1, 15), rng: rand.New(rand.NewPCG(seed, 0)), spread: spread, keeps: keeps, values: make([]float64, members),
	}
}

// noise returns the noise of a member in a step.
func (r *rack) noise() float64 {
	x := r.rng.NormFloat64()
	if r.heavy {
		x /= math.Sqrt((sqr(r.rng.NormFloat64()) + sqr(r.rng.NormFloat64()) + sqr(r.rng.NormFloat64())) / 3)
	}
	return x
}

func sqr(x float64) float64 { return x * x }

// ofBlock returns the next value of a member that lives through hours of healthy drives, each drawn
// by chance.
func (r *rack) ofBlock(i int) float64 {
	if len(r.now[i]) == 0 {
		r.now[i] = r.blocks[r.rng.IntN(len(r.blocks))]
	}
	x := r.now[i][0]
	r.now[i] = r.now[i][1:]
	return float64(x)
}

// next takes one step.
func (r *rack) next() []float64 {
	out, fresh := make([]float64, len(r.values)), math.Sqrt(1-r.keeps*r.keeps)
	for i := range r.values {
		if r.blocks != nil {
			out[i] = r.ofBlock(i)
			continue
		}
		r.values[i] = r.keeps*r.values[i] + fresh*r.noise()
		out[i] = r.spread * r.values[i]
	}
	out[0] += r.slower
	sizes := slices.Clone(out)
	middle, effects := quantile.MiddleOf(sizes), make([]float64, len(out))
	for i := range out {
		effects[i] = out[i] - middle.Without(out[i])
	}
	for i := range out {
		out[i] -= middle.Median()
		sizes[i] = math.Abs(out[i])
	}
	r.step++
	r.BeginStep()
	r.AddNoise(0, 0, quantile.Median(sizes), len(out))
	for i, x := range out {
		r.AddValue(i, 0, &Value{LogRatio: x, Effect: effects[i], Weight: 1}, r.step, 1)
	}
	return out
}

// TestFalseAlarms: chance reaches evidence n at most once in eⁿ steps of a member,
// whether or not noise lasts from step to step. The alarms of two million steps are
// counted from the first step on, without training.
func TestFalseAlarms(t *testing.T) {
	const members, steps, racks, nats = 12, 10_000, 16, 9.0
	for _, keeps := range []float64{0, 0.5, 0.9} {
		alarms := 0
		for seed := range uint64(racks) {
			r := newRack(seed, members, 0.3, keeps)
			raised := make([]bool, members)
			for range steps {
				r.next()
				for c := range members {
					switch n := r.Evidence(c, 0); {
					case !r.HasExcursion(c):
						raised[c] = false
					case n >= nats && !raised[c]:
						raised[c] = true
						alarms++
					}
				}
			}
		}
		promised := racks * members * steps * math.Exp(-nats)
		t.Logf("noise that keeps %g: %d alarms at %g nats, %.0f promised", keeps, alarms, nats, promised)
		if float64(alarms) > promised {
			t.Errorf("noise that keeps %g: %d alarms at %g nats in %d steps, at most %.0f are promised", keeps, alarms, nats, racks*members*steps, promised)
		}
	}
}

// TestTold measures how soon a member that becomes slower is certain. It is sooner for
// slower members and for groups with less noise.
func TestTold(t *testing.T) {
	for _, tt := range []struct {
		spread, keeps, times float64
		most                 int // steps
	}{
		{0.1, 0, 10, 20},
		{0.1, 0, 1.5, 60},
		{0.1, 0, 1.2, 200},
		{0.3, 0, 10, 20},
		{0.3, 0, 3, 60},
		{0.3, 0, 2, 100},
		{0.3, 0, 1.5, 180},
		{0.3, 0, 1.2, 640},
		{0.3, 0.5, 10, 24},
		{0.3, 0.5, 2, 120},
	} {
		var took []int
		for seed := range uint64(9) {
			r := newRack(seed, 12, tt.spread, tt.keeps)
			for range 960 {
				r.next()
			}
			r.slower = math.Log(tt.times)
			steps := 0
			for n := 0.0; n < 15.6; n = r.Evidence(0, 0) {
				if r.next(); steps > 5000 {
					break
				}
				steps++
			}
			took = append(took, steps)
		}
		slices.Sort(took)
		t.Logf("spread %g, keeps %g, %g times slower: %v steps", tt.spread, tt.keeps, tt.times, took)
		if median := took[len(took)/2]; median > tt.most {
			t.Errorf("spread %g, keeps %g, %g times slower: %d steps, want at most %d", tt.spread, tt.keeps, tt.times, median, tt.most)
		}
	}
}

// TestTwin: a sum that never falls below zero equals the greatest of the sums that begin
// at any step.
func TestTwin(t *testing.T) {
	r := newRack(3, 5, 0.4, 0.3)
	o := criteria.DefaultOptions()
	adds := make([][Rungs][]float64, 5)
	for step := range 400 {
		for c, x := range r.next() {
			for rung, smallest := range rungsOf(&o) {
				a := min(max((x-smallest)/r.Spread(0), -o.SureDeviations), o.SureDeviations)
				adds[c][rung] = append(adds[c][rung], a)
				most, sum := 0.0, 0.0
				for i := len(adds[c][rung]) - 1; i >= 0; i-- {
					sum += adds[c][rung][i]
					most = max(most, sum)
				}
				if got := r.walks[c].sum[rung]; math.Abs(got-most) > 1e-9 {
					t.Fatalf("step %d, member %d, rung %d: %g, the plain sum is %g", step, c, rung, got, most)
				}
			}
		}
	}
}

// TestTail: the rate of excursions of a height is the counted one, and is extrapolated
// beyond the greatest.
func TestTail(t *testing.T) {
	var x tail
	rng := rand.New(rand.NewPCG(1, 1))
	x.steps = 1e6
	for range 20_000 {
		x.count(rng.ExpFloat64() * 10)
	}
	// With an exponential tail of mean 10, a height of 100 is reached once in e¹⁰.
	want := math.Log(1e6/20_000) + 10
	if got := x.evidence(100, 1); math.Abs(got-want) > 1 {
		t.Errorf("%g nats, want about %g", got, want)
	}
	if got := x.evidence(0.5, 1); got != 0 {
		t.Errorf("a height below all counts %g nats", got)
	}
	if a, b := x.evidence(200, 1), x.evidence(200, 40); a <= b {
		t.Errorf("bursts of 40 make %g nats of what bursts of 1 make %g of", b, a)
	}
	var empty tail
	if got := empty.evidence(8, 8); got != 7.0/8 {
		t.Errorf("of nothing known %g nats", got)
	}
}

// TestMarkFault: the group learns neither from known faults nor from forgotten excursions.
func TestMarkFault(t *testing.T) {
	learned := func(do func(r *rack)) float64 {
		r := newRack(5, 12, 0.1, 0)
		for range 500 {
			r.next()
		}
		before := r.pool[0].reached[12] // a height of 64
		r.slower = math.Log(4)
		for range 100 {
			r.next()
		}
		do(r)
		r.slower = 0
		for range 2000 {
			r.next()
		}
		return r.pool[0].reached[12] - before
	}
	for name, tt := range map[string]struct {
		do   func(*rack)
		want float64
	}{
		"passed":    {func(*rack) {}, 1},
		"ended":     {func(r *rack) { r.EndExcursion(0, 0) }, 1},
		"known":     {func(r *rack) { r.MarkFault(0) }, 0},
		"forgotten": {func(r *rack) { r.Forget(0) }, 0},
	} {
		if got := learned(tt.do); math.Round(got) != tt.want { // what was learned fades
			t.Errorf("%s: %g excursions were learned from, want %g", name, got, tt.want)
		}
	}
}

// TestSince: the begin of a change is taken from the rung that shows it.
func TestSince(t *testing.T) {
	r := newRack(7, 12, 0.1, 0)
	for range 300 {
		r.next()
	}
	r.slower = math.Log(5)
	for range 20 {
		r.next()
	}
	change := r.BestStretch(0)
	if change.Since < 298 || change.Since > 301 || r.ExcursionBegan(0) > change.Since || !r.HasExcursion(0) {
		t.Errorf("since %d or %d, want step 300", r.ExcursionBegan(0), change.Since)
	}
	if since := r.ExcursionBegan(1); !r.HasExcursion(1) && since != 0 {
		t.Errorf("a member that shows nothing does so since %d", since)
	}
}

func TestOptions(t *testing.T) {
	o := DefaultOptions()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
	if err := (&Options{}).Validate(); err == nil {
		t.Error("no bounds at all are taken")
	}
}

// TestRungs: each rung is above the one before, whatever the smallest effect.
func TestRungs(t *testing.T) {
	for smallest, want := range map[float64][Rungs]float64{1.1: {1.1, 1.5, 3}, 1.4: {1.4, 1.82, 3}, 2: {2, 2.6, 3.38}} {
		c := criteria.DefaultOptions()
		c.SmallestTimes = smallest
		for i, rung := range rungsOf(&c) {
			if math.Abs(math.Exp(rung)-want[i]) > 1e-9 {
				t.Errorf("smallest %g: rung %d is %g, want %g", smallest, i, math.Exp(rung), want[i])
			}
		}
	}
}

// TestUses: the effect and the extra numbers of a value matter only where Uses says so. A monitor that
// gets them always, and one that gets them only then, know the same, also after pauses.
func TestUses(t *testing.T) {
	always, needed := newRack(1, 3, 0.3, 0).Monitor, newRack(1, 3, 0.3, 0).Monitor
	rng, used, end := rand.New(rand.NewPCG(5, 6)), 0, int64(1000)
	for range 4000 {
		if end++; rng.IntN(50) == 0 {
			end += 20
		}
		always.BeginStep()
		needed.BeginStep()
		always.AddNoise(0, 0, 0.2, 3)
		needed.AddNoise(0, 0, 0.2, 3)
		for c := range 3 {
			full := Value{LogRatio: 0.3 * rng.NormFloat64(), Tolerance: 0.1 * rng.Float64(), Weight: rng.Float64(), Effect: rng.Float64(), Extra: [Extras]float64{1, rng.Float64(), 3}}
			bare := Value{LogRatio: full.LogRatio, Tolerance: full.Tolerance, Weight: full.Weight}
			if needed.Uses(c, &bare) {
				bare, used = full, used+1
			}
			always.AddValue(c, 0, &full, end, 1)
			needed.AddValue(c, 0, &bare, end, 1)
			if !reflect.DeepEqual(always.walks[c], needed.walks[c]) {
				t.Fatalf("after %d s, component %d: %+v, want %+v", end, c, needed.walks[c], always.walks[c])
			}
			if w := &needed.walks[c]; w.last != end {
				t.Fatalf("the last step of component %d ended at %d, want %d", c, w.last, end)
			}
		}
	}
	if used < 1000 || used > 11_000 {
		t.Errorf("%d of 12,000 values are used", used)
	}
}
