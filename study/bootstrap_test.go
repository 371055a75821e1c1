package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestPoisson(t *testing.T) {
	tests := []struct {
		u    float64
		want int64
	}{{0, 0}, {0.3678, 0}, {0.3679, 1}, {0.7357, 1}, {0.7358, 2}, {0.9196, 2}, {0.9197, 3}}
	for _, test := range tests {
		if got := poisson(test.u); got != test.want {
			t.Errorf("quantile %v is %d, want %d", test.u, got, test.want)
		}
	}
	if n := poisson(math.Nextafter(1, 0)); n < 10 || n > 30 {
		t.Errorf("the last quantile is %d", n)
	}
}

func TestNormal(t *testing.T) {
	for p, want := range map[float64]float64{0.5: 0, 0.975: 1.959964, 0.025: -1.959964} {
		if got := normal(p); math.Abs(got-want) > 1e-6 {
			t.Errorf("normal quantile %v is %v, want %v", p, got, want)
		}
	}
	if got := corrected(normal(0.3), 0, 0); math.Abs(got-0.3) > 1e-12 {
		t.Errorf("without bias and skewness 0.3 is corrected to %v", got)
	}
}

// fleetOf draws groups: so many have a lognormal number of events of a
// thousand trials. The true share is known.
func fleetOf(rng *rand.Rand, groups int) (parts, wholes []int64) {
	for range groups {
		whole := int64(500 + rng.IntN(1000))
		parts = append(parts, int64(float64(whole)*0.01*math.Exp(rng.NormFloat64()-0.5)))
		wholes = append(wholes, whole)
	}
	return parts, wholes
}

func sumsOf(parts, wholes []int64, order []int) (*Sums, int, int) {
	s := NewSums(7, 500)
	part, whole := s.Block(1), s.Block(1)
	for _, i := range order {
		s.Add(part, parts[i]-1)
		s.Add(part, 1)
		s.Add(whole, wholes[i])
		s.EndGroup(fmt.Sprint("group ", i))
	}
	return s, part, whole
}

// TestCoverage holds intervals to having the true share about 19 times of 20,
// and to be as wide as the standard error asks for.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const fleets, groups = 300, 80
	in, width := 0, 0.0
	for range fleets {
		parts, wholes := fleetOf(rng, groups)
		s, part, whole := sumsOf(parts, wholes, rng.Perm(groups))
		e := s.Share(part, whole)
		truth := 0.01 - 0.5/1000 // rounding down takes half an event a group
		if e.Interval.Low <= truth && truth <= e.Interval.High {
			in++
		}
		width += (e.Interval.High - e.Interval.Low) / fleets
	}
	if share := float64(in) / fleets; share < 0.9 || share > 0.98 {
		t.Errorf("%.1f %% of the intervals have the true share, want about 95 %%", 100*share)
	}
	spread := 0.01 * math.Sqrt(math.E-1) / math.Sqrt(groups)
	if want := 2 * 1.96 * spread; width < 0.7*want || width > 1.5*want {
		t.Errorf("intervals are %v wide, want about %v", width, want)
	}
}

// TestBootOrder takes the same groups in another order.
func TestBootOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	parts, wholes := fleetOf(rng, 50)
	a, part, whole := sumsOf(parts, wholes, rng.Perm(50))
	b, _, _ := sumsOf(parts, wholes, rng.Perm(50))
	x, y := a.Share(part, whole), b.Share(part, whole)
	if x.Value != y.Value || *x.Interval != *y.Interval {
		t.Errorf("%v %v and %v %v: the order of groups matters", x.Value, *x.Interval, y.Value, *y.Interval)
	}
	if a.Groups() != 50 {
		t.Errorf("%d groups, want 50", a.Groups())
	}
}

// TestNoInterval has estimates that nothing can be said about.
func TestNoInterval(t *testing.T) {
	s := NewSums(1, 100)
	always, never, all := s.Block(1), s.Block(1), s.Block(1)
	for i := range 30 {
		s.Add(always, 10)
		s.Add(all, 10)
		s.EndGroup(fmt.Sprint(i))
	}
	if e := s.Share(always, all); !e.Alike {
		t.Error("groups that do not differ are not said to be alike")
	}
	for name, e := range map[string]Estimate{"always": s.Share(always, all), "never": s.Share(never, all), "of nothing": s.Share(all, never)} {
		if e.Interval != nil {
			t.Errorf("%s: interval %+v, want none", name, *e.Interval)
		}
	}
	few := NewSums(1, 100)
	part, whole := few.Block(1), few.Block(1)
	for i := range 30 {
		if i < FewestGroups {
			few.Add(part, int64(1+i%2))
			few.Add(whole, 10)
		}
		few.EndGroup(fmt.Sprint(i))
		if e := few.Share(part, whole); (e.Interval != nil) != (i >= FewestGroups-1) {
			t.Errorf("%d groups, at most %d of them with something: interval %v", i+1, FewestGroups, e.Interval)
		}
	}
}

// TestFewEvents has groups enough, and of those that have the event one after
// the other: of too few there is no telling.
func TestFewEvents(t *testing.T) {
	for having := range 2 * FewestGroups {
		s := NewSums(1, 100)
		part, whole := s.Block(1), s.Block(1)
		for i := range 60 {
			s.Add(part, map[bool]int64{true: 1}[i < having])
			s.Add(whole, 10)
			s.EndGroup(fmt.Sprint(i))
		}
		if e := s.Share(part, whole); (e.Interval != nil) != (having >= FewestGroups) || e.Groups != having {
			t.Errorf("%d of 60 groups have some: interval %v of %d groups", having, e.Interval, e.Groups)
		}
	}
}
