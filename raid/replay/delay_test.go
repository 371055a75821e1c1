package replay

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"none", "none"},
		{"rare", "rare:seed=1"},
		{"rare:seed=7", "rare:seed=7"},
		{"periodic", "periodic:member=0,slow=5,for=3m0s-6m0s,every=2h0m0s-3h0m0s,share=0.023,compress=1,seed=1"},
		{"periodic:compress=60,member=3", "periodic:member=3,slow=5,for=3m0s-6m0s,every=2h0m0s-3h0m0s,share=0.023,compress=60,seed=1"},
		{"periodic:for=1m-1m,every=10m-10m,share=0.1", "periodic:member=0,slow=5,for=1m0s-1m0s,every=10m0s-10m0s,share=0.1,compress=1,seed=1"},
		{"quantiles:2=0.01,9=0.001", "quantiles:2=0.01,9=0.001,seed=1"},
	} {
		d, err := Parse(test.in)
		if err != nil {
			t.Errorf("%s: %v", test.in, err)
		}
		if d.String() != test.want {
			t.Errorf("%s: got %s, want %s", test.in, d, test.want)
		}
	}
}

func TestParseMistakes(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", "unknown"},
		{"often", "none, rare, periodic or quantiles"},
		{"none:seed=1", "no setting"},
		{"rare:seed=x", "seed"},
		{"rare:compress=2", "no setting"},
		{"quantiles", "at least one"},
		{"quantiles:2", "share"},
		{"quantiles:0.5=0.1", "write a number from 1 to 1e9"},
		{"quantiles:9=0.001,2=0.01", "in ascending order"},
		{"quantiles:2=0.01,9=0.02", "write a smaller share"},
		{"quantiles:2=0", "above 0"},
		{"periodic:slow=0.5", "write a slowdown from 1 to 1e9"},
		{"periodic:for=3m", "3m-6m"},
		{"periodic:for=6m-3m", "is not possible: write a time above 0"},
		{"periodic:every=5m-3h", "every"},
		{"periodic:share=0.5", "share"},
		{"periodic:share=0.02", "for=3m0s-3m0s"},
		{"periodic:share=NaN", "share"},
		{"periodic:compress=0", "compress"},
		{"periodic:member=-1", "write 0 or more"},
		{"periodic:often=1", "member, slow"},
	} {
		_, err := Parse(test.in)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.in, err, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("none")
	f.Add("rare:seed=7")
	f.Add("quantiles:2=0.01,9=0.001,seed=3")
	f.Add(defaultDistribution(KindPeriodic).String())
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(d.String())
		if err != nil || !reflect.DeepEqual(again, d) {
			t.Fatalf("%q: got %v, %v, want %v", text, again, err, d)
		}
		for _, now := range []time.Duration{0, time.Second, 100 * time.Hour} {
			if x := d.Factor(0, 5, now); !(x >= 1 && x <= 1e9) {
				t.Fatalf("%q: slower by %v", text, x)
			}
		}
	})
}

// TestRare holds the draws of many reads against the shares they are made
// from.
func TestRare(t *testing.T) {
	d := defaultDistribution(KindRare)
	const reads, members = 400_000, 10
	slow := map[float64]int{1.5: 0, 2: 0, 9: 0, 30: 0}
	tails := 0 // requests of 8 with one of at least 2
	for read := range uint64(reads) {
		worst := 0.0
		for m := range members {
			x := d.Factor(m, read, 0)
			for at := range slow {
				if x >= at {
					slow[at]++
				}
			}
			if m < 8 {
				worst = max(worst, x)
			}
		}
		if worst >= 2 {
			tails++
		}
	}
	for at, want := range map[float64]float64{1.5: 0.007, 2: 0.0022, 9: 1e-4, 30: 1e-5} {
		expected := want * reads * members
		if math.Abs(float64(slow[at])-expected) > 4*math.Sqrt(expected) {
			t.Errorf("%d reads at %v or more, want about %.0f", slow[at], at, expected)
		}
	}
	want := 1 - math.Pow(1-0.0022, 8) // T16's T1: 1.54 % of the hours
	if got := float64(tails) / reads; math.Abs(got-want) > 0.001 {
		t.Errorf("%.4f of the requests have a slow drive, want %.4f", got, want)
	}
}

// TestIndependent looks for a pattern among neighbours: reads of the same
// member, and members of the same read.
func TestIndependent(t *testing.T) {
	const n = 200_000
	for _, test := range []struct {
		name         string
		member, read func(i int) int
	}{
		{"reads", func(int) int { return 3 }, func(i int) int { return i }},
		{"members", func(i int) int { return i % 16 }, func(i int) int { return i / 16 }},
	} {
		sum, product := 0.0, 0.0
		last := 0.5
		for i := range n {
			u, v := drawPair(9, test.member(i), uint64(test.read(i)))
			sum += u
			product += (u-0.5)*(last-0.5) + (u-0.5)*(v-0.5)
			last = u
		}
		if mean := sum / n; math.Abs(mean-0.5) > 4*math.Sqrt(1.0/12/n) {
			t.Errorf("%s: mean %v", test.name, mean)
		}
		if c := product / n; math.Abs(c) > 4*math.Sqrt2/12/math.Sqrt(n) {
			t.Errorf("%s: correlated by %v", test.name, c*12)
		}
	}
}

func TestAt(t *testing.T) {
	q := Quantiles{{2, 0.1}, {8, 0.001}}
	for _, test := range []struct{ u, want float64 }{
		{1, 1}, {0.11, 1}, {0.1, 2}, {0.01, 4}, {0.001, 8}, {1e-9, 8},
	} {
		if got := q.At(test.u); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%v: got %v, want %v", test.u, got, test.want)
		}
	}
}

func TestPeriodic(t *testing.T) {
	p := defaultPeriodic()
	var slow, last time.Duration
	const times = 20_000
	for n := range int64(times) {
		from, to := p.stretch(1, n)
		if length := to - from; length < p.Min || length > p.Max {
			t.Fatalf("slow for %v", length)
		}
		if apart := from - last; n > 0 && (apart < p.From || apart > p.To) {
			t.Fatalf("slow again after %v", apart)
		}
		slow, last = slow+to-from, from
	}
	if share := float64(slow) / float64(times*p.cycle()); math.Abs(share-p.Share) > 0.0003 {
		t.Errorf("slow for %.4f of the time", share)
	}
}

// TestPeriodicFactor steps through a day and finds one member slow for its
// stretches and no other.
func TestPeriodicFactor(t *testing.T) {
	d, err := Parse("periodic:member=2,compress=60")
	if err != nil {
		t.Fatal(err)
	}
	slow := 0
	for s := range 24 * 60 * 60 / 60 { // a day in 24 minutes
		now := time.Duration(s) * time.Second
		if d.Factor(1, 0, now) != 1 {
			t.Fatal("another member is slow")
		}
		switch x := d.Factor(2, uint64(s), now); {
		case x == 5:
			slow++
		case x != 1:
			t.Fatalf("slower by %v", x)
		}
	}
	if slow < 20 || slow > 50 { // 33 minutes
		t.Errorf("slow for %d minutes of a day", slow)
	}
}

func TestSource(t *testing.T) {
	d := defaultDistribution(KindRare)
	s := NewSource(d, 3)
	for read := range uint64(1000) {
		for m := range 3 {
			if got, want := s.Factor(m, 0), d.Factor(m, read, 0); got != want {
				t.Fatalf("member %d, read %d: got %v, want %v", m, read, got, want)
			}
		}
	}
}

func TestQuantilesFile(t *testing.T) {
	var b bytes.Buffer
	if err := writeQuantiles(&b, rare()); err != nil {
		t.Fatal(err)
	}
	q, err := ReadQuantiles("rare.csv", &b)
	if err != nil || !reflect.DeepEqual(q, rare()) {
		t.Errorf("got %v, %v", q, err)
	}
}

func TestQuantilesMistakes(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", "q.csv: the distribution has no quantiles"},
		{"slowdown,share\n2;0.1\n", "q.csv:2: the slowdown"},
		{"slowdown,share\n2,0.1\n\n3,x\n", "q.csv:4: the share"},
		{"3,0.1\n2,0.01\n", "q.csv: the slowdown 2 of quantile 2"},
		{strings.Repeat("1", 1<<17), "q.csv: bufio.Scanner: token too long"},
	} {
		_, err := ReadQuantiles("q.csv", strings.NewReader(test.in))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%.20q: got %.80v, want %q", test.in, err, test.want)
		}
	}
}

func FuzzReadQuantiles(f *testing.F) {
	f.Add("slowdown,share\n1,0.5\n2,0.01\n")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := ReadQuantiles("q.csv", strings.NewReader(text))
		if err != nil {
			return
		}
		var b strings.Builder
		if err := writeQuantiles(&b, q); err != nil {
			t.Fatal(err)
		}
		again, err := ReadQuantiles("q.csv", strings.NewReader(b.String()))
		if err != nil || !reflect.DeepEqual(again, q) {
			t.Fatalf("got %v, %v, want %v", again, err, q)
		}
	})
}

func TestFits(t *testing.T) {
	for _, test := range []struct {
		text    string
		members int
		want    bool
	}{
		{"periodic:member=9", 10, true},
		{"periodic:member=10", 10, false},
		{"periodic:member=12", 10, false},
		{"rare", 1, true},
		{"none", 1, true},
	} {
		d, err := Parse(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Fits(test.members); (err == nil) != test.want {
			t.Errorf("%s of %d members: %v", test.text, test.members, err)
		}
	}
}
