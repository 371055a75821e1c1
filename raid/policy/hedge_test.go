package policy

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// TestSaved compares the savings with those of many draws.
func TestSaved(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	latency := func() float64 { // one of 50 takes 8 times as long
		x := 0.5 + rng.Float64()
		if rng.IntN(50) == 0 {
			x *= 8
		}
		return x
	}
	extra := func() float64 { return 0.8 + 0.4*rng.Float64() }
	var member, other histogram
	for range 20_000 {
		member.add(latency())
		other.add(extra())
	}
	p, q := member.shares(&member, 1), other.shares(&other, 1)
	got := saved(&p, &q)
	for _, e := range []float64{0.5, 1, 1.4, 2, 4, 8} {
		sum, n := 0.0, 0
		for range 400_000 {
			if l := latency(); l > edges[binOf(e)] {
				sum += max(0, l-edges[binOf(e)]-extra())
				n++
			}
		}
		if want := sum / float64(n); math.Abs(got[binOf(e)]-want) > 0.1*want+0.02 {
			t.Errorf("at %v: saves %.3f, want %.3f", e, got[binOf(e)], want)
		}
	}
}

func TestWorth(t *testing.T) {
	for _, test := range []struct {
		gains            []float64
		price            float64
		have, data, most int
		want             int
	}{
		{nil, 0.1, 8, 8, 2, 0},
		{[]float64{1}, 0.1, 8, 8, 2, 1},
		{[]float64{1}, 2, 8, 8, 2, 0},
		{[]float64{1, 1}, 0.1, 8, 8, 2, 2},    // one alone saves nothing
		{[]float64{1, 1}, 0.6, 8, 8, 2, 0},    // both cost too much
		{[]float64{5, 0.2}, 0.5, 8, 8, 2, 1},  // one is enough
		{[]float64{5, 0.2}, 0.1, 8, 8, 2, 2},  //
		{[]float64{5, 5, 5}, 0.1, 8, 8, 2, 0}, // a third must be waited for
		{[]float64{5, 5, 1}, 0.1, 8, 8, 2, 2}, //
		{[]float64{1}, 0.1, 9, 8, 2, 0},       // asked already
		{[]float64{1, 1}, 0.1, 9, 8, 2, 2},    // one more
		{[]float64{1, 1}, 0.1, 9, 8, 1, 0},    // there is no other
		{[]float64{1}, 0.1, 1, 8, 2, 1},       // eight reads
		{[]float64{1}, 0.2, 1, 8, 2, 0},       //
	} {
		if got := worth(test.gains, test.price, test.have, test.data, test.most); got != test.want {
			t.Errorf("%+v: got %d", test, got)
		}
	}
}

func TestPurse(t *testing.T) {
	p := newHedgeBudget(0.1)
	if math.Abs(p.price-priceFloor) > 1e-9 {
		t.Errorf("a full budget asks %v", p.price)
	}
	for p.allows(1) {
		before := p.price
		if p.pay(1); p.price <= before {
			t.Fatalf("%v tokens: the price fell from %v to %v", p.tokens, before, p.price)
		}
	}
	if math.Abs(p.price-priceTop) > 1e-9 {
		t.Errorf("an empty budget asks %v", p.price)
	}
	p.earn(100)
	if p.tokens != 10 || !p.allows(10) || p.allows(11) {
		t.Errorf("%v tokens for 100 reads", p.tokens)
	}
	p.earn(1e6)
	if p.tokens != burst {
		t.Errorf("%v tokens saved up", p.tokens)
	}
}

// TestHistogramForgets checks that what is older than the memory counts half.
func TestHistogramForgets(t *testing.T) {
	var h histogram
	for range 200_000 {
		h.add(1)
	}
	for range memory {
		h.add(8)
	}
	p := h.shares(&h, 1)
	if share := p[binOf(8)]; math.Abs(share-0.5) > 0.01 {
		t.Errorf("the last %d answers are %v of all", memory, share)
	}
	if size := h.size(); math.Abs(size-memory/math.Ln2) > 10 {
		t.Errorf("it holds %v answers", size)
	}
}

func TestBins(t *testing.T) {
	for b := range numBins {
		if binOf(middles[b]) != b {
			t.Errorf("the middle of bin %d is in %d", b, binOf(middles[b]))
		}
	}
	for _, test := range []struct {
		x    float64
		want int
	}{{-3, 0}, {0, 0}, {1e9, numBins - 1}, {math.Inf(1), numBins - 1}} {
		if got := binOf(test.x); got != test.want {
			t.Errorf("%v is in bin %d", test.x, got)
		}
	}
}

// hedgeRig has members that take 1 ms, more or less, and share of the reads 30
// times that.
func hedgeRig(t *testing.T, share float64) *rig {
	rng := rand.New(rand.NewPCG(7, 7))
	return newRig(t, Default(Hedge), 8, 2, func(int) (time.Duration, bool) {
		took := 1e6 * (0.6 + 0.8*rng.Float64())
		if rng.Float64() < share {
			took *= 30
		}
		return time.Duration(took), false
	})
}

// TestHedgeSpends checks that nothing is spent where nothing is slow, and that
// slow reads are hidden sooner than reactive could.
func TestHedgeSpends(t *testing.T) {
	for _, test := range []struct {
		share    float64
		from, to float64 // extra reads for each needed, those that it began with included
	}{{0, 0, 0.012}, {0.001, 0.012, 0.042}, {0.05, 0.03, 0.042}} {
		g := hedgeRig(t, test.share)
		for range 20_000 {
			g.read(upTo(8))
		}
		c := g.p.Counters()
		extra := float64(c.Extra) / float64(c.Reads-c.Extra)
		if extra < test.from || extra > test.to {
			t.Errorf("%v slow: %.4f extra reads, want %v to %v", test.share, extra, test.from, test.to)
		}
	}
}

func TestHedgeIsEarly(t *testing.T) {
	g := hedgeRig(t, 0.001)
	for range 5000 {
		g.read(upTo(8))
	}
	var slow, sum int
	for range 20_000 {
		before := g.p.counters.Bypassed
		was := total(before)
		begun := g.now
		g.read(upTo(8))
		if total(g.p.counters.Bypassed) > was {
			slow++
			sum += int(g.now - begun)
		}
	}
	// Reactive takes 2 ms and 1 ms.
	if mean := time.Duration(sum / slow); slow < 100 || mean > 2600*time.Microsecond {
		t.Errorf("%d requests did without a member and took %v", slow, mean)
	}
}

func total(counts []uint64) (sum uint64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// TestHedgeSmall has reads of one member, which have no median of their own.
func TestHedgeSmall(t *testing.T) {
	g := hedgeRig(t, 0.001)
	for i := range 20_000 {
		g.read(one(i % 8))
	}
	late := 0
	for i := range 20_000 {
		begun := g.now
		if g.read(one(i % 8)); g.now-begun > 10*time.Millisecond {
			late++
		}
	}
	if late > 4 {
		t.Errorf("%d reads took over 10 ms; some 20 were slow", late)
	}
}

// TestHedgeKeepsAccounts has next to no income: what is in the budget is what
// was there less the extra reads, and there are no more than that, whatever
// they are for.
func TestHedgeKeepsAccounts(t *testing.T) {
	g, slow, _ := slowRig(t, "hedge:again=5ms,budget=1e-9")
	for range 300 {
		g.read(upTo(8))
	}
	*slow = one(3)
	for i := range 3000 {
		want := upTo(8)
		if i%3 == 0 {
			want = one(3) | one(i%8)
		}
		g.read(want)
		tokens, extra := g.p.rule.(*hedge).budget.tokens, float64(g.p.counters.Extra)
		if math.Abs(burst-extra-tokens) > 0.01 || tokens < 0 {
			t.Fatalf("request %d: %v tokens after %v extra reads", i, tokens, extra)
		}
	}
	if g.p.counters.Extra < burst-8 {
		t.Errorf("only %d extra reads: the budget was not put to the test", g.p.counters.Extra)
	}
}

// TestHedgeForgives has a member slow for long. Once it is back, it is not held
// against it how slow it was when nobody relied on it.
func TestHedgeForgives(t *testing.T) {
	g, slow, _ := slowRig(t, "hedge:again=1ms")
	for range 1000 {
		g.read(upTo(8))
	}
	*slow = one(3)
	for range 2000 {
		g.read(upTo(8))
	}
	own := &g.p.rule.(*hedge).seen.own[3]
	late := 0.0
	for b := binOf(3); b < numBins; b++ {
		late += own.count[b]
	}
	if late /= own.weight; late > 5 {
		t.Errorf("%.0f slow answers of a member that was passed over after 3", late)
	}
}

// TestHedgeEmptyPurse has a price of nothing and nothing to pay with.
func TestHedgeEmptyPurse(t *testing.T) {
	g := hedgeRig(t, 0.01)
	for range 1000 {
		g.read(upTo(8))
	}
	before := g.p.counters.Extra
	for range 100 {
		g.p.rule.(*hedge).budget = hedgeBudget{}
		g.read(upTo(8))
	}
	if extra := g.p.counters.Extra - before; extra > 0 {
		t.Errorf("%d extra reads", extra)
	}
}
