package policy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestPromises runs requests that overlap against members that are slow, stuck
// for a while, or fail, at any moment. The rig checks that no member is asked
// twice or in vain, that no request waits for nobody or ends without what it
// needs, and fails only if it must.
func TestPromises(t *testing.T) {
	for _, kind := range Kinds() {
		for seed := range uint64(60) {
			t.Run(fmt.Sprint(kind, "/", seed), func(t *testing.T) { promises(t, kind, seed) })
		}
	}
}

func promises(t *testing.T, kind Kind, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 8))
	data, parity := 1+rng.IntN(9), rng.IntN(4)
	g := newRig(t, anyOptions(kind, rng), data, parity, anyAnswers(rng, data+parity))
	for range 400 {
		want := 1 + set(rng.Uint64N(uint64(upTo(data))))
		if rng.IntN(2) == 0 {
			want = upTo(data)
		}
		if rng.IntN(20) == 0 {
			g.p.SetMasks(anyMasks(rng, data+parity), anyMaskOptions(rng))
		}
		q := g.begin(want, g.anyLost(rng))
		if rng.IntN(50) == 0 && !q.over {
			q.over = true
			q.r.Release() // the reader has given up
		}
		for range rng.IntN(3 * data) {
			g.next()
		}
		if !q.over && rng.IntN(4) == 0 {
			g.do(q, q.r.Wake(g.now)) // before its time
		}
	}
	g.drain()
	g.accounts()
}

// anyMasks are of up to three members, which may be more than parity replaces.
func anyMasks(rng *rand.Rand, members int) map[int]Mask {
	of := map[int]Mask{}
	for range rng.IntN(4) {
		of[rng.IntN(members)] = Masks()[rng.IntN(3)]
	}
	return of
}

func anyMaskOptions(rng *rand.Rand) *MaskOptions {
	if rng.IntN(3) == 0 {
		return nil
	}
	return &MaskOptions{ProbeEvery: time.Duration(1 + rng.IntN(1e7)), ProbeShare: rng.Float64() / 10, Block: 8, Quick: 1.25}
}

func anyOptions(kind Kind, rng *rand.Rand) Options {
	o := Default(kind)
	o.ST = 1.2 + 2*rng.Float64()
	o.Leave = 1 + (o.ST-1)*rng.Float64()
	o.SR = 1 + rng.IntN(4)
	o.Again = time.Duration(1+rng.IntN(300)) * time.Millisecond
	o.Patience = time.Duration(1+rng.IntN(300)) * time.Millisecond
	o.Backlog = 1 + rng.IntN(8)
	o.Budget = 0.01 + rng.Float64()/2
	return o
}

// anyAnswers are of members one or two of which are slow for a while, and all
// of which are at times, or fail.
func anyAnswers(rng *rand.Rand, members int) func(int) (time.Duration, bool) {
	bad, reads := rng.IntN(members), 0
	return func(m int) (time.Duration, bool) {
		reads++
		took := 1e6 * (1 + rng.Float64())
		if m == bad && reads%1000 < 400 {
			took *= 6
		}
		if rng.IntN(200) == 0 {
			took *= 500
		}
		return time.Duration(took), rng.IntN(60) == 0
	}
}

func (g *rig) anyLost(rng *rand.Rand) (lost set) {
	for range rng.IntN(4) {
		if rng.IntN(4) == 0 {
			lost |= one(rng.IntN(g.p.data + g.p.parity))
		}
	}
	return lost
}

// accounts checks the counters, and that nothing is held for ever.
func (g *rig) accounts() {
	c := g.p.Counters()
	if c.Requests != 400 || c.Reads != uint64(g.reads) || !slices.Equal(c.Bypassed, g.bypass) {
		g.t.Errorf("counted %+v; made %d reads, bypassed %v", c, g.reads, g.bypass)
	}
	o := g.p.options
	if limit := o.Budget*float64(c.Reads-c.Extra) + burst; o.Kind == Hedge && float64(c.Extra-c.Hung-c.Masked-c.Probes) > limit {
		g.t.Errorf("%d extra reads, %d for members that hang, %d for masks, %d probes; the budget allows %.0f", c.Extra, c.Hung, c.Masked, c.Probes, limit)
	}
	if g.p.rescues != 0 {
		g.t.Errorf("%d rescues after the end", g.p.rescues)
	}
	if slices.Max(g.p.out) != 0 || slices.Max(g.p.owed) != 0 || slices.Min(g.p.owed) != 0 {
		g.t.Errorf("members owe %v and %v, after all have answered", g.p.out, g.p.owed)
	}
	if len(g.p.PassedOver()) > g.p.parity {
		g.t.Errorf("%v are passed over, with parity for %d", g.p.PassedOver(), g.p.parity)
	}
}

// TestStuck has as many members stuck for an hour as there is parity for. All
// policies but normal do without them, with few wakes.
func TestStuck(t *testing.T) {
	for _, test := range []struct {
		policy string
		stuck  []int
	}{
		{"reactive", []int{0, 7}},
		{"proactive1", []int{3}},
		{"proactive2", []int{3, 8}},
		{"adaptive", []int{1, 2}},
		{"sitout", []int{1, 2}},
		{"hedge", []int{1, 2}},
		{"hedge", []int{5}},
	} {
		o, _ := Parse(test.policy)
		stuck := set(0)
		rng := rand.New(rand.NewPCG(1, 1))
		g := newRig(t, o, 8, 2, func(m int) (time.Duration, bool) {
			if stuck.has(m) {
				return time.Hour, false
			}
			return time.Millisecond + time.Duration(rng.IntN(1e6)), false
		})
		for range 1000 { // learning
			g.read(upTo(8))
		}
		stuck = setOf(test.stuck, 10)
		for i := range 100 {
			begun := g.now
			if g.read(upTo(8)); g.now-begun > 7*time.Millisecond {
				t.Errorf("%s, stuck %v: request %d took %v", test.policy, test.stuck, i, g.now-begun)
			}
		}
		if n := slices.Max(g.p.owed); n > o.Backlog {
			t.Errorf("%s: a stuck member owes %d answers", test.policy, n)
		}
	}
}
