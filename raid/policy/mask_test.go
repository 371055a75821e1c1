package policy

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// probing are options with which a test sees many probes.
func probing() *MaskOptions {
	o := DefaultMaskOptions()
	o.ProbeEvery, o.WellFor = time.Millisecond, 100*time.Millisecond
	return &o
}

// begun returns whom a request asks first, after all answers have come.
func begun(g *rig, want, lost set) set {
	q := g.begin(want, lost)
	g.drain()
	return setOf(q.first, g.p.data+g.p.parity)
}

// TestMasksFirst: whom requests ask first, under each policy and mask, and what that costs.
func TestMasksFirst(t *testing.T) {
	all := upTo(8)
	for _, kind := range Kinds() {
		for _, test := range []struct {
			name              string
			mask              map[int]Mask
			want, lost, first set
			masked            uint64
		}{
			{"whole stripe, sit-out", map[int]Mask{3: MaskSitOut}, all, 0, all&^one(3) | one(8), 0},
			{"whole stripe, last", map[int]Mask{3: MaskLast}, all, 0, all&^one(3) | one(8), 0},
			{"whole stripe, hedge", map[int]Mask{3: MaskHedge}, all, 0, all | one(8), 1},
			{"two sit out", map[int]Mask{3: MaskSitOut, 8: MaskSitOut}, all, 0, all&^one(3) | one(9), 0},
			{"one chunk, sit-out", map[int]Mask{3: MaskSitOut}, one(3), 0, all&^one(3) | one(8), 7},
			{"one chunk, last", map[int]Mask{3: MaskLast}, one(3), 0, one(3), 0},
			{"one chunk, hedge", map[int]Mask{3: MaskHedge}, one(3), 0, all | one(8), 8},
			{"another chunk", map[int]Mask{3: MaskSitOut}, one(4), 0, one(4), 0},
			{"one lost", map[int]Mask{3: MaskSitOut}, all, one(0), upTo(10) &^ one(0) &^ one(3), 0},
			{"two lost, so that the masked member is needed", map[int]Mask{3: MaskSitOut}, all, one(0) | one(1), upTo(10) &^ one(0) &^ one(1), 0},
			{"three masked, so that one is needed", map[int]Mask{3: MaskSitOut, 4: MaskSitOut, 5: MaskSitOut}, all, 0, upTo(10) &^ one(4) &^ one(5), 0},
		} {
			g, _, _ := slowRig(t, string(kind))
			g.p.SetMasks(test.mask, nil)
			first := begun(g, test.want, test.lost)
			switch kind {
			case Proactive1, Proactive2: // these ask more in any case, but no member that sits out
				if !test.first.within(first) || first&^test.first&g.p.masks.sitOut != 0 {
					t.Errorf("%s, %s: asked %b, want %b and more", kind, test.name, first, test.first)
				}
			default:
				if first != test.first || g.p.counters.Masked != test.masked || g.p.counters.Extra != test.masked {
					t.Errorf("%s, %s: asked %b with %d extra reads, %d for masks; want %b with %d", kind, test.name, first, g.p.counters.Extra, g.p.counters.Masked, test.first, test.masked)
				}
			}
		}
	}
}

// TestMaskedReadsTakeNoBudget: what masks cost leaves the budget of hedge to other members.
func TestMaskedReadsTakeNoBudget(t *testing.T) {
	g, _, _ := slowRig(t, "hedge")
	g.p.SetMasks(map[int]Mask{3: MaskSitOut}, probing())
	for range 1000 {
		g.read(one(3))
		g.drain()
	}
	c := g.p.Counters()
	if c.Masked != 7000 || c.Probes == 0 {
		t.Errorf("counted %+v", c)
	}
	if rule := g.p.rule.(*hedge); rule.budget.tokens < burst-float64(c.Extra-c.Masked-c.Probes)-1 {
		t.Errorf("%v tokens are left after %+v", rule.budget.tokens, c)
	}
}

// TestProbes: probes are few, one at a time, and nobody waits for them, also if they never
// come back. A probe is an extra read.
func TestProbes(t *testing.T) {
	for _, kind := range Kinds() {
		g, slow, factor := slowRig(t, string(kind))
		for range 100 {
			g.read(upTo(8))
		}
		*slow, *factor = one(3), 1000
		g.p.SetMasks(map[int]Mask{3: MaskSitOut}, probing())
		before, began := g.p.Counters(), g.now
		for i := range 4000 {
			begun := g.now
			if g.read(upTo(8)); g.now-begun > 1300*time.Microsecond {
				t.Fatalf("%s: request %d took %v", kind, i, g.now-begun)
			}
			if g.p.out[3] > 1 {
				t.Fatalf("%s: %d probes at once", kind, g.p.out[3])
			}
		}
		c := g.p.Counters()
		probes, most := c.Probes-before.Probes, uint64(4000*8/100)
		if passed := uint64((g.now - began) / time.Second); probes < 2 || probes > min(most, passed+2) {
			t.Errorf("%s: %d probes of a member that takes a second, in %d s", kind, probes, passed)
		}
		*factor = 1
		g.drain()
		for range 4000 {
			g.read(upTo(8))
		}
		if probes := g.p.counters.Probes - before.Probes; probes < most || probes > 2*most {
			t.Errorf("%s: %d probes of a prompt member, want a hundredth of the reads", kind, probes)
		}
	}
}

// TestRecovery: a member is well when it has been as quick as its peers for long enough, and
// not before, under each mask.
func TestRecovery(t *testing.T) {
	for _, mask := range Masks() {
		g, slow, factor := slowRig(t, "adaptive")
		g.p.SetMasks(map[int]Mask{3: mask}, probing())
		reads := func(n int) Recovery {
			for range n {
				g.read(upTo(8))
			}
			return g.p.Recovery(3)
		}
		*slow, *factor = one(3), 5
		if v := reads(4000); v.Quick || v.Well || v.Ratio < 4 || v.Answers < 32 {
			t.Errorf("%s, 5 times slower: %+v", mask, v)
		}
		*factor = 1.4
		if v := reads(4000); v.Quick || v.Well || v.Ratio < 1.25 || v.Ratio > 1.5 {
			t.Errorf("%s, 1.4 times slower: %+v", mask, v)
		}
		*factor = 1
		v := reads(4000)
		if !v.Quick || !v.Well || v.Ratio > 1.2 || g.now-v.Since < 100*time.Millisecond {
			t.Errorf("%s, recovered: %+v at %v", mask, v, g.now)
		}
		*factor = 5
		if v := reads(4000); v.Quick || v.Well {
			t.Errorf("%s, slow again: %+v", mask, v)
		}
		g.p.SetMasks(nil, probing())
		if v := g.p.Recovery(3); v != (Recovery{}) {
			t.Errorf("%s, unmasked: %+v", mask, v)
		}
	}
}

// TestWellFor: a member that is quick is not yet well; and a mask that stays the same keeps
// what is known.
func TestWellFor(t *testing.T) {
	g, _, _ := slowRig(t, "sitout")
	o := probing()
	o.WellFor = time.Hour
	g.p.SetMasks(map[int]Mask{3: MaskSitOut}, o)
	for range 4000 {
		g.read(upTo(8))
	}
	v := g.p.Recovery(3)
	if !v.Quick || v.Well {
		t.Errorf("%+v", v)
	}
	g.p.SetMasks(map[int]Mask{3: MaskSitOut, 5: MaskLast}, o)
	if again := g.p.Recovery(3); again != v {
		t.Errorf("%+v, with another mask %+v", v, again)
	}
	g.p.SetMasks(map[int]Mask{3: MaskLast}, o)
	if again := g.p.Recovery(3); again != (Recovery{}) {
		t.Errorf("a new mask begins with %+v", again)
	}
}

// TestStallsAreNotRecovery: a member with the median of its peers that is late in one of five
// answers is not well; with as many late answers as its peers it is.
func TestStallsAreNotRecovery(t *testing.T) {
	for _, test := range []struct {
		own, peers float64 // share of late answers
		quick      bool
	}{{0.2, 0, false}, {0.4, 0.05, false}, {0.05, 0.05, true}, {0, 0, true}} {
		rng := rand.New(rand.NewPCG(5, 5))
		o, _ := Parse("reactive")
		g := newRig(t, o, 8, 2, func(m int) (time.Duration, bool) {
			share := test.peers
			if m == 3 {
				share = test.own
			}
			took := 1e6 * (1 + rng.Float64()/4)
			if rng.Float64() < share {
				took *= 4
			}
			return time.Duration(took), false
		})
		g.p.SetMasks(map[int]Mask{3: MaskSitOut}, probing())
		quick, blocks, last := 0, 0, uint64(0)
		for range 50_000 {
			g.read(upTo(8))
			if v := g.p.Recovery(3); v.Answers/32 != last {
				last = v.Answers / 32
				blocks++
				if v.Quick {
					quick++
				}
			}
		}
		share := float64(quick) / float64(blocks)
		if blocks < 100 || test.quick && share < 0.95 || !test.quick && share > 0.1 {
			t.Errorf("%v late, peers %v: %d of %d blocks are quick", test.own, test.peers, quick, blocks)
		}
	}
}

// TestFailedProbes: a member whose probes fail is not well.
func TestFailedProbes(t *testing.T) {
	o, _ := Parse("adaptive")
	g := newRig(t, o, 8, 2, func(m int) (time.Duration, bool) { return time.Millisecond, m == 3 })
	g.p.SetMasks(map[int]Mask{3: MaskSitOut}, probing())
	for range 4000 {
		g.read(upTo(8))
	}
	if v := g.p.Recovery(3); v.Answers < 32 || v.Quick || v.Well {
		t.Errorf("%+v", v)
	}
}

// TestMaskedAreNotJudged: a masked member does not use up the members that the policy may pass
// over by itself, and a slow probe does not count as a late answer of the policy's own.
func TestMaskedAreNotJudged(t *testing.T) {
	g, slow, _ := slowRig(t, "sitout:again=20ms")
	g.p.SetMasks(map[int]Mask{3: MaskSitOut}, probing())
	*slow = one(3) | one(5)
	for range 1000 {
		g.read(upTo(8))
		g.drain()
	}
	if got := g.p.PassedOver(); !slices.Equal(got, []int{5}) {
		t.Errorf("passed over are %v, want 5", got)
	}
	*slow |= one(6)
	for range 100 {
		g.read(upTo(8))
		g.drain()
	}
	if got := g.p.PassedOver(); len(got) != 1 {
		t.Errorf("passed over are %v beside a masked member, with parity for 2", got)
	}
}

// TestMaskedInPlaceOfStuck: where two members hang beside one that sits out, the masked member
// is read: it is only slow.
func TestMaskedInPlaceOfStuck(t *testing.T) {
	for _, kind := range []Kind{Reactive, Adaptive, Sitout, Hedge} {
		o := Default(kind)
		o.Patience = 20 * time.Millisecond
		stuck := set(0)
		g := newRig(t, o, 8, 2, func(m int) (time.Duration, bool) {
			switch {
			case stuck.has(m):
				return time.Hour, false
			case m == 3:
				return 10 * time.Millisecond, false
			}
			return time.Millisecond, false
		})
		g.p.SetMasks(map[int]Mask{3: MaskSitOut}, nil)
		for range 2000 {
			g.read(upTo(8))
		}
		if g.p.counters.Bypassed[3] != 2000 {
			t.Errorf("%s: the masked member was read: %+v", kind, g.p.counters)
		}
		stuck = one(0) | one(5)
		if begun := g.now; true {
			if q := g.read(upTo(8)); !q.over || q.ended-begun > 60*time.Millisecond || !q.asked.has(3) {
				t.Errorf("%s: the request took %v and asked %b", kind, q.ended-begun, q.asked)
			}
		}
	}
}

func TestParseMask(t *testing.T) {
	for _, m := range Masks() {
		if got, err := ParseMask(string(m)); got != m || err != nil {
			t.Errorf("%s: %s, %v", m, got, err)
		}
	}
	if _, err := ParseMask("away"); err == nil || err.Error() != `the kind of mask "away" is unknown: write one of sit-out, last, hedge` {
		t.Errorf("got %v", err)
	}
}

func TestMaskOptions(t *testing.T) {
	o := DefaultMaskOptions()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
	for _, edit := range []func(*MaskOptions){
		func(o *MaskOptions) { o.ProbeEvery = 0 },
		func(o *MaskOptions) { o.ProbeShare = 0.2 },
		func(o *MaskOptions) { o.Block = 1 },
		func(o *MaskOptions) { o.Quick = 0.5 },
		func(o *MaskOptions) { o.WellFor = -1 },
	} {
		o := DefaultMaskOptions()
		if edit(&o); o.Validate() == nil {
			t.Errorf("%+v is valid", o)
		}
	}
}
