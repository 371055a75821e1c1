package arrays

import (
	"math"
	"slices"
	"testing"
	"time"
)

// moments draws many times and returns mean and variance.
func moments(draw func() float64) (mean, variance float64) {
	const n = 200_000
	sum, squares := 0.0, 0.0
	for range n {
		x := draw()
		sum += x
		squares += x * x
	}
	mean = sum / n
	return mean, squares/n - mean*mean
}

func TestPoisson(t *testing.T) {
	for _, want := range []float64{0.1, 3, 29.9, 30, 400} {
		rng := source(1, "poisson")
		mean, variance := moments(func() float64 { return float64(rng.Poisson(want)) })
		if !near(mean, want, 0.02) || !near(variance, want, 0.03) {
			t.Errorf("poisson(%v): mean %.3f, variance %.3f, want both %v", want, mean, variance, want)
		}
	}
	if n := source(1, "none").Poisson(0); n != 0 {
		t.Errorf("poisson(0) = %d", n)
	}
}

func TestSumOfExponentials(t *testing.T) {
	for _, n := range []int{1, 7, 29, 30, 500} {
		rng := source(1, "sum")
		mean, variance := moments(func() float64 { return rng.sumOfExponentials(n) })
		if !near(mean, float64(n), 0.02) || !near(variance, float64(n), 0.03) {
			t.Errorf("sum of %d: mean %.3f, variance %.3f, want both %d", n, mean, variance, n)
		}
	}
}

// TestDrift wants the same spread whatever the interval, and memory.
func TestDrift(t *testing.T) {
	for _, dt := range []float64{1, 15, 300} {
		rng := source(1, "Drift")
		d := newDrift(rng, 0, 0.1, 60)
		_, variance := moments(func() float64 { return math.Log(d.Next(rng, dt)) })
		if !near(math.Sqrt(variance), 0.1, 0.1) {
			t.Errorf("dt %v: spread %.4f, want 0.1", dt, math.Sqrt(variance))
		}
	}
	rng := source(1, "Drift")
	d := newDrift(rng, 0, 0.1, 60)
	steps, _ := moments(func() float64 { before := d.at; d.Next(rng, 1); return math.Abs(d.at - before) })
	if steps > 0.02 {
		t.Errorf("a Drift with a memory of 60 s moves by %.3f in 1 s", steps)
	}
}

func TestSourcesDiffer(t *testing.T) {
	first := source(1, "lun 1.00").Uint64()
	for name, other := range map[string]uint64{"part": source(1, "lun 1.01").Uint64(), "seed": source(2, "lun 1.00").Uint64()} {
		if first == other {
			t.Errorf("another %s draws the same", name)
		}
	}
	if first != source(1, "lun 1.00").Uint64() {
		t.Error("the same part of the same seed draws otherwise")
	}
}

// TestCoarse wants the right mean and spread where few draws are taken as many.
func TestCoarse(t *testing.T) {
	for _, want := range []float64{7.9, 8, 15, 29} {
		rng := source(1, "coarse")
		rng.Many = coarseMany
		mean, variance := moments(func() float64 { return float64(rng.Poisson(want)) })
		if !near(mean, want, 0.02) || !near(variance, want, 0.04) {
			t.Errorf("Poisson(%v): mean %.3f, variance %.3f", want, mean, variance)
		}
		mean, variance = moments(func() float64 { return rng.sumOfExponentials(int(want)) })
		if !near(mean, float64(int(want)), 0.02) || !near(variance, float64(int(want)), 0.04) {
			t.Errorf("sum of %d: mean %.3f, variance %.3f", int(want), mean, variance)
		}
	}
}

// TestSometimes wants so many a day, in order, within the time given.
func TestSometimes(t *testing.T) {
	b := blueprint()
	from, to := b.Start, b.Start.Add(1000*24*time.Hour)
	list := source(1, "sometimes").Sometimes(3, from, to)
	if len(list) < 2800 || len(list) > 3200 || list[0].Before(from) || list[len(list)-1].After(to) || !slices.IsSortedFunc(list, time.Time.Compare) {
		t.Errorf("%d times from %v to %v", len(list), list[0], list[len(list)-1])
	}
	if never := source(1, "never").Sometimes(0, from, to); never != nil {
		t.Errorf("never is %v", never)
	}
}
