package policy

import (
	"testing"
	"time"
)

// smallReads are of one, two and three members.
var smallReads = []set{one(0), one(0) | one(1), one(0) | one(1) | one(2), one(5)}

// TestSmallHung has a member take 8 s, and reads too small to have a median.
// Before it is known what is usual they wait for Patience, and then for little;
// under hedge once more, where its budget is empty before the member is held to
// hang.
func TestSmallHung(t *testing.T) {
	for _, kind := range []Kind{Reactive, Adaptive, Sitout, Hedge} {
		for _, want := range smallReads {
			g := newRig(t, Default(kind), 8, 2, func(m int) (time.Duration, bool) {
				if m == 0 {
					return 8 * time.Second, false
				}
				return time.Millisecond, false
			})
			long := 0
			for i := range 200 {
				q := g.read(want)
				switch took := q.ended - q.begun; {
				case took > g.p.options.Patience+5*time.Millisecond:
					t.Errorf("%s, %b: read %d took %v", kind, want, i, took)
				case took > 5*time.Millisecond:
					long++
				}
			}
			if most := 1 + btoi(kind == Hedge); long > most {
				t.Errorf("%s, %b: %d reads waited for long, want up to %d", kind, want, long, most)
			}
		}
	}
}

// TestBusy has all members slower at once, while many read single chunks. To
// ask for a stripe in place of each would make it worse: few do, and these ask
// for no more than the stripe and its parity.
func TestBusy(t *testing.T) {
	for _, kind := range []Kind{Reactive, Adaptive, Sitout} {
		took := time.Millisecond
		g := newRig(t, Default(kind), 8, 2, func(int) (time.Duration, bool) { return took, false })
		for i := range 100 {
			g.read(one(i % 8))
		}
		took = 10 * time.Millisecond
		for i := range 100 {
			g.begin(one(i%8), 0)
		}
		g.drain()
		if extra, most := g.p.counters.Extra, uint64((8+2-1)*g.p.options.Backlog); extra == 0 || extra > most {
			t.Errorf("%s: %d extra reads, want 1 to %d", kind, extra, most)
		}
	}
}

// TestHedgeHung has a member hang and reads of single chunks. None waits longer
// than Patience, however empty the budget is; the budget binds all reads but
// those.
func TestHedgeHung(t *testing.T) {
	o := Default(Hedge)
	g := newRig(t, o, 8, 2, func(m int) (time.Duration, bool) {
		if m == 0 {
			return time.Hour, false
		}
		return time.Millisecond, false
	})
	for i := range 4000 {
		if i > 2000 {
			g.p.rule.(*hedge).budget.tokens = 0
		}
		q := g.read(one(i % 8))
		if took := q.ended - q.begun; took > o.Patience+5*time.Millisecond {
			t.Errorf("read %d took %v", i, took)
		}
	}
	if g.p.owed[0] > o.Backlog {
		t.Errorf("it owes %d answers", g.p.owed[0])
	}
	c := g.p.Counters()
	if c.Hung < 4000/8*7/2 {
		t.Errorf("%d reads in place of the member that hangs", c.Hung)
	}
	if most := o.Budget*float64(c.Reads-c.Extra) + burst; float64(c.Extra-c.Hung) > most {
		t.Errorf("%d other extra reads, the budget allows %.0f", c.Extra-c.Hung, most)
	}
}

// TestHedgeBacklog has a member that owes many answers and gives them: it is
// slow, and not to be gone around at any price.
func TestHedgeBacklog(t *testing.T) {
	o := Default(Hedge)
	o.SR = 1000 // else it sits out before
	g := newRig(t, o, 8, 2, func(m int) (time.Duration, bool) {
		if m == 0 {
			return 200 * time.Millisecond, false
		}
		return time.Millisecond, false
	})
	for i := range 700 { // learning
		g.read(one(1 + i%7))
	}
	owed := 0
	for range 4000 {
		g.begin(one(0), 0)
		for begun := g.now; g.now < begun+time.Millisecond && g.next(); {
		}
		owed = max(owed, g.p.owed[0])
	}
	g.drain()
	c := g.p.Counters()
	if owed < o.Backlog {
		t.Errorf("it owes no more than %d answers", owed)
	}
	if most := o.Budget*float64(c.Reads-c.Extra) + burst; float64(c.Extra) > most {
		t.Errorf("%d extra reads, %d for a member that hangs; the budget allows %.0f", c.Extra, c.Hung, most)
	}
}
