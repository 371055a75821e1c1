package policy

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// slowRig has members that take 1 ms, more or less, and those in slow factor
// times that.
func slowRig(t *testing.T, text string) (g *rig, slow *set, factor *float64) {
	o, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	slow, factor = new(set), new(float64)
	*factor = 5
	rng := rand.New(rand.NewPCG(3, 3))
	g = newRig(t, o, 8, 2, func(m int) (time.Duration, bool) {
		took := 1e6 * (1 + rng.Float64()/4)
		if slow.has(m) {
			took *= *factor
		}
		return time.Duration(took), false
	})
	return g, slow, factor
}

func TestSitoutPassesOver(t *testing.T) {
	for kind, most := range map[string]uint64{"sitout:again=20ms": 13, "hedge:again=20ms": 13 + 64} {
		g, slow, _ := slowRig(t, kind)
		for range 300 {
			g.read(upTo(8))
		}
		*slow = one(3)
		for range 3 {
			if g.read(upTo(8)); g.p.PassedOver() != nil && g.p.counters.Bypassed[3] < 3 {
				t.Fatalf("%s: passed over after %d", kind, g.p.counters.Bypassed[3])
			}
			g.drain()
		}
		if !slices.Equal(g.p.PassedOver(), []int{3}) {
			t.Fatalf("%s: passed over %v, want 3", kind, g.p.PassedOver())
		}
		before := g.p.Counters()
		for i := range 200 { // 250 ms and more: up to 13 trials
			begun := g.now
			if g.read(upTo(8)); g.now-begun > 1300*time.Microsecond {
				t.Errorf("%s: request %d took %v", kind, i, g.now-begun)
			}
		}
		if extra := g.p.counters.Extra - before.Extra; extra < 5 || extra > most {
			t.Errorf("%s: %d extra reads, want 5 to %d, one for each trial", kind, extra, most)
		}
		*slow = 0
		for range 40 {
			g.read(upTo(8))
		}
		if len(g.p.PassedOver()) > 0 {
			t.Errorf("%s: %v still passed over", kind, g.p.PassedOver())
		}
	}
}

// TestSitoutTwo has two slow members, then a third, which there is no parity
// for.
func TestSitoutTwo(t *testing.T) {
	g, slow, _ := slowRig(t, "sitout:again=20ms")
	*slow = one(0) | one(6)
	for range 20 {
		g.read(upTo(8))
	}
	q := g.begin(upTo(8), 0)
	if want := []int{1, 2, 3, 4, 5, 7, 8, 9}; !slices.Equal(q.first, want) {
		t.Errorf("asked %v, want %v", q.first, want)
	}
	g.drain()
	*slow |= one(1)
	for range 100 {
		g.read(upTo(8))
		if len(g.p.PassedOver()) > 2 {
			t.Fatalf("%v are passed over", g.p.PassedOver())
		}
	}
}

// TestSitoutOverlap has one read stuck, and requests waiting behind it that
// began before it was found late. They are one occasion.
func TestSitoutOverlap(t *testing.T) {
	first := true
	g := newRig(t, Default(Sitout), 8, 2, func(m int) (time.Duration, bool) {
		if m == 2 && first {
			return 5 * time.Millisecond, false
		}
		return time.Millisecond, false
	})
	for range 4 {
		g.begin(upTo(8), 0)
	}
	first = false
	g.drain()
	if len(g.p.PassedOver()) > 0 {
		t.Errorf("%v passed over for one late read", g.p.PassedOver())
	}
}

// TestSitoutLeave has a member between the thresholds: not slow enough to be
// passed over, too slow to come back.
func TestSitoutLeave(t *testing.T) {
	g, slow, factor := slowRig(t, "sitout:again=5ms")
	*slow, *factor = one(4), 1.75
	for range 50 {
		g.read(upTo(8))
	}
	if len(g.p.PassedOver()) > 0 {
		t.Fatalf("%v passed over at 1.75", g.p.PassedOver())
	}
	*factor = 5
	for range 20 {
		g.read(upTo(8))
	}
	*factor = 1.75
	for range 50 {
		if g.read(upTo(8)); len(g.p.PassedOver()) != 1 {
			t.Fatalf("%v passed over at 1.75 after 5", g.p.PassedOver())
		}
	}
}

// TestLastResort has both parity members stand in for others when another
// member is stuck: who is passed over is asked then.
func TestLastResort(t *testing.T) {
	g, slow, factor := slowRig(t, "sitout:again=1h")
	*slow = one(0) | one(1)
	for range 20 {
		g.read(upTo(8))
	}
	g.drain()
	*slow, *factor = one(7), 1000
	q := g.read(upTo(8))
	if took := q.ended - q.begun; took > 5*time.Millisecond {
		t.Errorf("took %v", took)
	}
}

// TestStuckOnce has a member stuck in one read for long enough to be passed
// over. It is tried as soon as it has answered, not after the time that a slow
// one waits.
func TestStuckOnce(t *testing.T) {
	g, slow, factor := slowRig(t, "sitout:again=1h")
	*slow, *factor = one(5), 40
	g.begin(upTo(8), 0)
	*factor = 39 // those behind it
	for len(g.p.PassedOver()) == 0 {
		g.read(upTo(8))
	}
	*slow = 0
	for range 60 {
		g.read(upTo(8))
	}
	if len(g.p.PassedOver()) > 0 {
		t.Errorf("%v passed over", g.p.PassedOver())
	}
}

// TestTrialFails has a member passed over that can no longer be read. A trial
// that fails is one that was lost: the next comes after a time.
func TestTrialFails(t *testing.T) {
	ill := false
	g := newRig(t, Default(Sitout), 8, 2, func(m int) (time.Duration, bool) {
		if m == 3 && ill {
			return time.Millisecond, true
		}
		if m == 3 {
			return 5 * time.Millisecond, false
		}
		return time.Millisecond, false
	})
	for range 3 {
		g.read(upTo(8))
		g.drain()
	}
	if !slices.Equal(g.p.PassedOver(), []int{3}) {
		t.Fatalf("passed over %v, want 3", g.p.PassedOver())
	}
	ill = true
	before, begun := g.p.Counters(), g.now
	for range 1000 {
		g.read(upTo(8))
	}
	most := 2 + uint64((g.now-begun)/g.p.options.Again)
	if extra := g.p.counters.Extra - before.Extra; extra == 0 || extra > most {
		t.Errorf("%d extra reads in %v, want 1 to %d", extra, g.now-begun, most)
	}
}
