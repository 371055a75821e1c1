package policy

import (
	"testing"
	"time"
)

// hiding are the policies that wait for nobody for ever.
var hiding = []Kind{Reactive, Adaptive, Sitout, Hedge}

// TestStandInHangs has any two members of 4+2 hang, or one fail and one hang,
// and reads of one chunk and more. Whoever stands in for one may be the other.
// A first read waits for Patience, and once more for who stands in; one that
// knows what is usual for little.
func TestStandInHangs(t *testing.T) {
	for _, kind := range hiding {
		for pair := range 36 {
			for chunks := 1; chunks <= 4; chunks++ {
				if testing.Short() && (pair/6+pair%6+chunks)%2 == 1 {
					continue
				}
				g := newRig(t, Default(kind), 4, 2, nil)
				standInHangs(g, chunks, pair/6, pair%6, 2*g.p.options.Patience)
				g = learnedRig(t, kind, chunks)
				standInHangs(g, chunks, pair/6, pair%6, 10*time.Millisecond)
			}
		}
	}
}

// TestStandInHangsPoor has hedge with too few reads left to hide both: it waits
// until they are held to hang.
func TestStandInHangsPoor(t *testing.T) {
	for pair := range 36 {
		for chunks := 1; chunks <= 4; chunks++ {
			g := learnedRig(t, Hedge, chunks)
			g.p.rule.(*hedge).budget.tokens = 1
			standInHangs(g, chunks, pair/6, pair%6, 2*g.p.options.Patience)
		}
	}
}

// learnedRig has made reads of so many chunks.
func learnedRig(t *testing.T, kind Kind, chunks int) *rig {
	t.Helper()
	g := newRig(t, Default(kind), 4, 2, func(int) (time.Duration, bool) { return time.Millisecond, false })
	for range 1100 {
		g.read(upTo(chunks))
	}
	return g
}

// standInHangs has one member hang and another do so too, if it has the higher
// number, and fail otherwise. No read may wait for longer than most and some
// reads.
func standInHangs(g *rig, chunks, hangs, other int, most time.Duration) {
	g.t.Helper()
	g.answers = func(m int) (time.Duration, bool) {
		if m == hangs || m == other && other > hangs {
			return time.Hour, false
		}
		return time.Millisecond, m == other
	}
	for i := range 5 {
		if q := g.read(upTo(chunks)); q.ended-q.begun > most+10*time.Millisecond {
			g.t.Errorf("%s, %d and %d: read %d of %d chunks took %v", g.p.options.Kind, hangs, other, i, chunks, q.ended-q.begun)
		}
	}
}

// TestStandInHung has a data member fail and parity hang in its place: what is
// asked then is for one that hangs, and not paid from the budget.
func TestStandInHung(t *testing.T) {
	g := newRig(t, Default(Hedge), 4, 2, func(m int) (time.Duration, bool) {
		if m == 4 {
			return time.Hour, false
		}
		return time.Millisecond, m == 0
	})
	g.p.rule.(*hedge).budget.tokens = 0
	g.read(upTo(4))
	if c := g.p.Counters(); c.Extra != 1 || c.Hung != 1 {
		t.Errorf("%d extra reads, %d for a member that hangs, want 1 and 1", c.Extra, c.Hung)
	}
}

// TestStandInOffRecord has parity late each time that it stands in. It is asked
// after the others, and what they took says little of it.
func TestStandInOffRecord(t *testing.T) {
	for _, kind := range []Kind{Adaptive, Sitout} {
		late := 0
		g := newRig(t, Default(kind), 4, 2, func(m int) (time.Duration, bool) {
			if m == late || m == 4 {
				return 20 * time.Millisecond, false
			}
			return time.Millisecond, false
		})
		for late = range 4 {
			g.read(upTo(4))
			g.drain()
		}
		if g.p.counters.Extra < 8 || len(g.p.PassedOver()) > 0 {
			t.Errorf("%s: %d extra reads, want 8; passed over %v", kind, g.p.counters.Extra, g.p.PassedOver())
		}
	}
}

// TestTwoSlow has two slow members of 4+2, both data or one of them parity: all
// that learn come to hide both, as proactive2 does.
func TestTwoSlow(t *testing.T) {
	for _, slow := range []set{one(0) | one(1), one(0) | one(4), one(3) | one(5)} {
		for _, kind := range []Kind{Proactive2, Adaptive, Sitout, Hedge} {
			g := newRig(t, Default(kind), 4, 2, func(m int) (time.Duration, bool) {
				if slow.has(m) {
					return 100 * time.Millisecond, false
				}
				return 10 * time.Millisecond, false
			})
			for range 30 {
				g.read(upTo(4))
				g.drain()
				g.now += 200 * time.Millisecond
			}
			for i := range 30 {
				if q := g.read(upTo(4)); q.ended-q.begun > 10*time.Millisecond {
					t.Errorf("%s, slow %b: read %d took %v", kind, slow, i, q.ended-q.begun)
				}
				g.drain()
			}
		}
	}
}

// TestTwoSlowOfThree has a median that is slow with two of three: what was usual
// before tells that they are late, if anything was.
func TestTwoSlowOfThree(t *testing.T) {
	for _, kind := range []Kind{Adaptive, Sitout, Hedge} {
		for learned, want := range map[int]time.Duration{0: 100 * time.Millisecond, 100: 10 * time.Millisecond} {
			took := 10 * time.Millisecond
			g := newRig(t, Default(kind), 3, 2, func(m int) (time.Duration, bool) {
				if m < 2 {
					return took, false
				}
				return 10 * time.Millisecond, false
			})
			for range learned {
				g.read(upTo(3))
			}
			took *= 10
			var q *reader
			for range 200 {
				q = g.read(upTo(3))
				g.drain()
			}
			if q.ended-q.begun != want {
				t.Errorf("%s, %d reads before: took %v, want %v", kind, learned, q.ended-q.begun, want)
			}
		}
	}
}
