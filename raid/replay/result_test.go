package replay

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
	"github.com/limpet-storage/limpet/report/page"
)

var update = flag.Bool("update", false, "write golden files anew")

// made is a result of ten reads and a write, made by hand.
func made() *Result {
	o := Default()
	o.Layout = Layout{2, 2}
	o.Distribution = FromQuantiles(Quantiles{{Slowdown: 9, Share: 0.1}})
	res := &Result{Trace: "made", Options: o, Virtual: true, Warnings: []string{"ten reads are few"}}
	run := func(kind policy.Kind, slowest time.Duration, c policy.Counters) *Run {
		r := newRun(policy.Default(kind), 11)
		for i := range 10 {
			r.note(i, time.Duration(i+1)*100*time.Microsecond)
		}
		r.note(9, slowest)
		r.finish(c, time.Second)
		return r
	}
	bypassed := func(n uint64) []uint64 { return []uint64{n, 0, 0, 0} }
	res.FaultFree = run(policy.Normal, ms, policy.Counters{Requests: 10, Reads: 20, Bypassed: bypassed(0)})
	res.Runs = []*Run{
		run(policy.Normal, 123*ms, policy.Counters{Requests: 10, Reads: 20, Bypassed: bypassed(0)}),
		run(policy.Reactive, 23*ms, policy.Counters{Requests: 10, Reads: 21, Extra: 1, Bypassed: bypassed(1)}),
		run(policy.Proactive1, ms/2, policy.Counters{Requests: 10, Reads: 30, Extra: 10, Bypassed: bypassed(7)}),
	}
	return res
}

func TestGolden(t *testing.T) {
	for name, write := range map[string]func(*Result, *bytes.Buffer) error{
		"made.txt": func(r *Result, b *bytes.Buffer) error { return r.WriteText(b) },
		"made.csv": func(r *Result, b *bytes.Buffer) error { return r.WriteCSV(b) },
	} {
		var b bytes.Buffer
		if err := write(made(), &b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, b.Bytes(), want)
		}
	}
}

func TestPage(t *testing.T) {
	var b strings.Builder
	if err := made().WritePage(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Figure 12 of the paper T16", "proactive1:backlog=8", "ten reads are few", "limpet raid replay"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// TestColours checks that lines of all policies can be told apart: a page has
// six plain colours, of which the second and the fifth are both green, and one
// for peers.
func TestColours(t *testing.T) {
	res := made()
	res.Runs = nil
	for _, kind := range policy.Kinds() {
		r := newRun(policy.Default(kind), 1)
		r.finish(policy.Counters{}, time.Second)
		res.Runs = append(res.Runs, r)
	}
	seen := map[page.Role][]string{}
	for _, s := range res.cdf().Series {
		seen[s.Role] = append(seen[s.Role], s.Name)
	}
	if len(seen[page.Peer]) > 1 || len(seen[page.Plain]) > 6 {
		t.Errorf("two lines have one colour: %v", seen)
	}
	if plain := seen[page.Plain]; plain[1] == "reactive" && plain[4] == "adaptive" {
		t.Errorf("reactive and adaptive are both green: %v", plain)
	}
}

func TestRank(t *testing.T) {
	for _, test := range []struct {
		share float64
		n     int
		want  int
	}{
		{0.5, 1, 0},
		{0.5, 2, 0},
		{0.5, 3, 1},
		{0.999, 1000, 998},
		{0.999, 1001, 999},
		{0.9999, 10_000, 9998},
		{0.9, 10, 8},
		{0.99, 100, 98},
		{1, 5, 4},
		{0, 5, 0},
	} {
		if got := rank(test.share, test.n); got != test.want {
			t.Errorf("%v of %d: got %d, want %d", test.share, test.n, got, test.want)
		}
	}
}

func TestUpTo(t *testing.T) {
	sorted := []float64{1, 1, 2, 4}
	for x, want := range map[float64]float64{0.5: 0, 1: 0.5, 1.5: 0.5, 2: 0.75, 4: 1, 9: 1} {
		if got := upTo(sorted, x); got != want {
			t.Errorf("up to %v: got %v, want %v", x, got, want)
		}
	}
	if got := upTo(nil, 1); got != 0 {
		t.Errorf("of none: got %v", got)
	}
}

func TestWarnings(t *testing.T) {
	fast := Record{Length: 8 * chunk}
	for _, test := range []struct {
		name   string
		change func(*Options)
		at     time.Duration // between reads
		n      int
		want   []string
	}{
		{"few", func(*Options) {}, time.Second, 10, []string{"10 reads"}},
		{"short", func(o *Options) { o.Distribution = defaultDistribution(KindPeriodic) }, time.Second, 10, []string{"10 reads", "a longer trace"}},
		{
			"compressed",
			func(o *Options) {
				o.Distribution = defaultDistribution(KindPeriodic)
				o.Distribution.Compress = 1e5
			},
			time.Second, 10,
			[]string{"10 reads", "100000 times shorter"},
		},
		{"too fast", func(*Options) {}, 0, 20_000, []string{"too slow for this trace"}},
		{"as fast as it goes", func(o *Options) { o.Depth = 2 }, 0, 20_000, nil},
	} {
		o := Default()
		o.Policies = o.Policies[:1]
		test.change(&o)
		records := slices.Repeat([]Record{fast}, test.n)
		for i := range records {
			records[i].At = time.Duration(i) * test.at
			records[i].Offset = int64(i%2) << 30
		}
		res, err := Virtual(t.Context(), "", records, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Warnings) != len(test.want) {
			t.Errorf("%s: got %q, want %q", test.name, res.Warnings, test.want)
			continue
		}
		for i, want := range test.want {
			if !strings.Contains(res.Warnings[i], want) {
				t.Errorf("%s: got %q, want %q", test.name, res.Warnings[i], want)
			}
		}
	}
}

// TestEmpty has no requests, which is no failure.
func TestEmpty(t *testing.T) {
	res, err := Virtual(t.Context(), "", nil, Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := res.WritePage(&b); err != nil {
		t.Error(err)
	}
}
