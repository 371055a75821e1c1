package fleet

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, name string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %.5g, want %.5g within %.2g", name, got, want, within)
	}
}

func behaviours() []*behaviour { return []*behaviour{newDisks(), newSSDs()} }

// TestChain holds the chain's own sums against many steps of it.
func TestChain(t *testing.T) {
	for _, b := range behaviours() {
		rng := rand.New(rand.NewPCG(1, 2))
		const share, steps = 0.1, 2_000_000
		onset := b.Chain.onset(share)
		slow, runs, s := 0, 0, stable
		for range steps {
			was := s.slow()
			s = b.Chain.next(rng, s, onset)
			if s.slow() {
				slow++
			}
			if s.slow() && !was {
				runs++
			}
		}
		near(t, string(b.Kind)+" share", float64(slow)/steps, share, 0.003)
		near(t, string(b.Kind)+" run", float64(slow)/float64(runs), b.Chain.meanRun(), 0.12)
	}
}

// TestRunLengths holds the chain to Finding 4 by its parameters alone.
func TestRunLengths(t *testing.T) {
	for _, c := range []struct {
		b            *behaviour
		past1, past8 float64
	}{{newDisks(), 0.40, 0.13}, {newSSDs(), 0.35, 0.03}} {
		past := func(hours float64) float64 {
			k := &c.b.Chain
			return k.Lasting*math.Pow(k.StayLasting, hours) + (1-k.Lasting)*math.Pow(k.StayBrief, hours)
		}
		near(t, string(c.b.Kind)+" past an hour", past(1), c.past1, 0.005)
		near(t, string(c.b.Kind)+" eight hours", past(7), c.past8, 0.005)
	}
}

func TestQuantile(t *testing.T) {
	for _, b := range behaviours() {
		for _, k := range b.Tail {
			near(t, string(b.Kind), b.Tail.quantile(k.Share)/k.Factor, 1, 1e-9)
		}
		if got := b.Tail.quantile(1e-30); got != b.Tail[len(b.Tail)-1].Factor {
			t.Errorf("%s: the longest tail is %v", b.Kind, got)
		}
	}
}

// TestFactor holds that slowdowns stay in their band and have its shares,
// however much of them is the run's.
func TestFactor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	b := newDisks()
	severe := 0
	const n = 200_000
	for range n {
		run := b.Memory.run(rng, magnitude(rng.NormFloat64()))
		slow, mild := b.Memory.factor(rng, b.Tail, false, run), b.Memory.factor(rng, b.Tail, true, run)
		if slow < slowAt || mild < mildAt || mild > slowAt {
			t.Fatalf("slow %v, mild %v", slow, mild)
		}
		if slow >= 9.5 {
			severe++
		}
	}
	near(t, "severe", float64(severe)/n, 1e-4/0.0022, 0.003)
}

func TestSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, b := range behaviours() {
		for _, width := range []int{3, 4, 5, 6, 7, 12, 26} {
			sum := 0
			const n = 100_000
			for range n {
				k := b.Spread.draw(rng, width)
				if 2*k >= width {
					t.Fatalf("%d of %d drives would be half", k, width)
				}
				sum += k
			}
			near(t, string(b.Kind), float64(sum)/n, b.Spread.mean(width), 0.02)
		}
	}
}

func TestMedianBelow(t *testing.T) {
	for _, c := range []struct {
		ordered []int32
		larger  int
		want    float64
	}{
		{[]int32{1, 2, 3}, 0, 2},
		{[]int32{1, 2, 3, 5}, 0, 2.5},
		{[]int32{1, 2, 3}, 1, 2.5},
		{[]int32{1, 2, 4}, 2, 4},
	} {
		if got := medianBelow(c.ordered, c.larger); got != c.want {
			t.Errorf("%v and %d larger: %v, want %v", c.ordered, c.larger, got, c.want)
		}
	}
}

// TestOut holds the hours out against Finding 15.
func TestOut(t *testing.T) {
	for _, c := range []struct {
		b         *behaviour
		in2, in10 float64
	}{{newDisks(), 0.54, 0.90}, {newSSDs(), 0.61, 0.97}} {
		within := func(hours float64) float64 {
			return 1 - math.Exp(-math.Pow(hours/c.b.Plug.Scale, c.b.Plug.Shape))
		}
		near(t, string(c.b.Kind)+" in 2 h", within(2), c.in2, 0.005)
		near(t, string(c.b.Kind)+" in 10 h", within(10), c.in10, 0.005)
	}
}

// TestSevereIsPulledMore holds Finding 14: so it is with disks, not with SSDs.
func TestSevereIsPulledMore(t *testing.T) {
	disk, ssd := newDisks().Plug, newSSDs().Plug
	if disk.chance(16) <= disk.chance(4) || disk.chance(4) <= disk.chance(1.6) {
		t.Errorf("disks: %v, %v, %v", disk.chance(16), disk.chance(4), disk.chance(1.6))
	}
	if ssd.chance(16) != ssd.chance(4) || ssd.chance(4) <= ssd.chance(1.6) {
		t.Errorf("SSDs: %v, %v, %v", ssd.chance(16), ssd.chance(4), ssd.chance(1.6))
	}
}

// TestSharesAddUp holds what is chosen from against mistakes of the pen.
func TestSharesAddUp(t *testing.T) {
	for _, b := range behaviours() {
		ages, models, mean, weight := 0.0, 0.0, 0.0, 0.0
		for _, a := range b.Ages {
			ages += a.Share
		}
		for _, m := range b.Models {
			models += m.Share
		}
		for n, w := range b.Widths {
			mean += w * float64(n)
			weight += w
		}
		near(t, string(b.Kind)+" ages", ages, 1, 0.001)
		near(t, string(b.Kind)+" models", models, 1, 0.001)
		near(t, string(b.Kind)+" width", mean/weight, of(b.Kind, 12.06, 7.11), 0.2)
	}
}
