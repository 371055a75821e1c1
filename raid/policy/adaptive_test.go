package policy

import (
	"slices"
	"testing"
)

// TestAdaptive is T16's: a member that was late SR times in a row is read along
// with parity, until one answer of it is within ST.
func TestAdaptive(t *testing.T) {
	g, slow, factor := slowRig(t, "adaptive")
	asks := func(want ...int) {
		t.Helper()
		if q := g.read(upTo(8)); !slices.Equal(q.first, want) {
			t.Errorf("asked %v, want %v", q.first, want)
		}
		g.drain()
	}
	data := []int{0, 1, 2, 3, 4, 5, 6, 7}
	along, both := append(slices.Clone(data), 8), append(slices.Clone(data), 8, 9)
	*slow = one(3)
	for range 3 {
		asks(data...)
	}
	for range 10 {
		asks(along...)
	}
	*slow |= one(5)
	for range 3 {
		asks(along...)
	}
	asks(both...)
	*slow |= one(1) // a third, which there is no parity for
	for range 5 {
		asks(both...)
	}
	if got := g.p.PassedOver(); !slices.Equal(got, []int{3, 5}) {
		t.Errorf("passed over %v", got)
	}
	*slow, *factor = one(3)|one(5), 1.2
	asks(both...)
	asks(data...)
	*factor = 5
	for range 2 {
		asks(data...) // what was before is forgotten
	}
	*slow = 0
	asks(data...)
	*slow = one(3)
	for range 3 {
		asks(data...)
	}
	asks(along...)
}

// TestAdaptiveParts has reads of a part of a stripe: only those that want the
// member that limps read more.
func TestAdaptiveParts(t *testing.T) {
	g, slow, _ := slowRig(t, "adaptive")
	*slow = one(3)
	for range 5 {
		g.read(upTo(8))
		g.drain()
	}
	for _, test := range []struct {
		want set
		asks []int
	}{
		{one(1) | one(2), []int{1, 2}},
		{one(3), []int{0, 1, 2, 3, 4, 5, 6, 7, 8}},
	} {
		if q := g.read(test.want); !slices.Equal(q.first, test.asks) {
			t.Errorf("for %b asked %v, want %v", test.want, q.first, test.asks)
		}
	}
}

// TestAdaptiveSmall has nothing but reads of one chunk: they tell who limps.
func TestAdaptiveSmall(t *testing.T) {
	for _, kind := range []string{"adaptive", "sitout"} {
		g, slow, _ := slowRig(t, kind)
		for i := range 800 {
			if i == 400 {
				*slow = one(3)
			}
			g.read(one(i % 8))
		}
		if got := g.p.PassedOver(); !slices.Equal(got, []int{3}) {
			t.Errorf("%s: passed over %v, want 3", kind, got)
		}
	}
}

// TestAdaptiveBacklog has a member limp that owes too many answers to be asked:
// parity stands in for it, and nothing is asked along.
func TestAdaptiveBacklog(t *testing.T) {
	g, slow, factor := slowRig(t, "adaptive")
	*slow, *factor = one(3), 1000
	for range 20 {
		g.read(upTo(8))
	}
	if q, want := g.read(upTo(8)), []int{0, 1, 2, 4, 5, 6, 7, 8}; !slices.Equal(q.first, want) {
		t.Errorf("asked %v, want %v", q.first, want)
	}
}
