package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/policy"
)

// filesOf makes an array of files with so many data members.
func filesOf(t testing.TB, data int) []raid.Member {
	t.Helper()
	dir := t.TempDir()
	members := make([]raid.Member, data+2)
	for i := range members {
		f, err := member.CreateFile(filepath.Join(dir, fmt.Sprint(i)), 4<<20)
		if err != nil {
			t.Fatal(err)
		}
		members[i] = f
	}
	if _, err := raid.Create(members, raid.DefaultCreateOptions()); err != nil {
		t.Fatal(err)
	}
	return members
}

// shortReads are whole stripes, at distances of a millisecond.
func shortReads(n int) []Record {
	records := make([]Record, n)
	for i := range records {
		records[i] = Record{At: time.Duration(i) * ms, Offset: int64(i%16) * 4 * chunk, Length: 4 * chunk}
	}
	return records
}

// TestRealHides has a member that is 8 times slower than others, which take
// 2 ms: whoever waits for it can be told.
func TestRealHides(t *testing.T) {
	for _, depth := range []int{0, 2} {
		o := Default()
		o.Depth, o.Floor = depth, 2*ms
		o.Policies = []policy.Options{policy.Default(policy.Normal), policy.Default(policy.Adaptive)}
		var err error
		if o.Distribution, err = Parse("periodic:member=1,slow=8,for=50m-1h,every=61m-61m,share=0.95"); err != nil {
			t.Fatal(err)
		}
		told := 0
		res, err := Real(t.Context(), "short", shortReads(200), o, filesOf(t, 4), func(done, total int) {
			if told++; done != told || total != 2*4 {
				t.Errorf("%d of %d, want %d of 8", done, total, told)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		normal, adaptive := res.Runs[0], res.Runs[1]
		if fastest := normal.Latency(0); fastest < 16*ms {
			t.Errorf("depth %d: a read is done in %v without a member that takes 16 ms", depth, fastest)
		}
		if x := adaptive.Latency(0.5); x >= 16*ms || adaptive.Counters.Bypassed[1] < 150 {
			t.Errorf("depth %d: adaptive waits for %v, and bypasses %v", depth, x, adaptive.Counters.Bypassed)
		}
		if n := res.FaultFree.Reads(); n != 200 || told != 8 {
			t.Errorf("%d reads, told %d times", n, told)
		}
		checkRenders(t, res, "short: 200 reads", "from 4 data drives and 2 parity drives", "on real drives", "at least 2ms", "this machine alone can cause a difference of this size")
	}
}

func checkRenders(t *testing.T, res *Result, want ...string) {
	t.Helper()
	var text, rest bytes.Buffer
	if err := errors.Join(res.WriteText(&text), res.WriteCSV(&rest), res.WritePage(&rest)); err != nil {
		t.Fatal(err)
	}
	for _, want := range want {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// TestRealKeepsTimes begins requests when the trace says so, twice as fast.
func TestRealKeepsTimes(t *testing.T) {
	o := Default()
	o.Policies, o.Speed = o.Policies[:1], 2
	res, err := Real(t.Context(), "", shortReads(100), o, filesOf(t, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	if took := res.FaultFree.Took; took < 49*ms {
		t.Errorf("a trace of 99 ms takes %v at twice its speed", took)
	}
}

// TestRealDegraded has two members lost: reads go on.
func TestRealDegraded(t *testing.T) {
	members := filesOf(t, 4)
	members[0].Close()
	members[5].Close()
	members[0], members[5] = nil, nil
	o := Default()
	o.Depth = 1
	records := append(shortReads(20), Record{Length: 100, Write: true})
	res, err := Real(t.Context(), "", records, o, members, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range res.Runs {
		if r.Reads() != 20 {
			t.Errorf("%s: %d reads", r.Policy.Kind, r.Reads())
		}
	}
	if !slices.ContainsFunc(res.Warnings, func(s string) bool { return strings.Contains(s, "is lost") }) {
		t.Errorf("warnings: %q", res.Warnings)
	}
}

func TestRealMistakes(t *testing.T) {
	o := Default()
	o.Policies = nil
	if _, err := Real(t.Context(), "", nil, o, filesOf(t, 4), nil); err == nil {
		t.Error("no policies, no error")
	}
	members := filesOf(t, 4)
	slices.Reverse(members)
	if _, err := Real(t.Context(), "", nil, Default(), members, nil); !errors.Is(err, raid.ErrSwapped) {
		t.Errorf("members in another order: %v", err)
	}
	if err := members[0].Sync(); err == nil {
		t.Error("members are left open")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Real(ctx, "", shortReads(10), Default(), filesOf(t, 4), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestFold(t *testing.T) {
	g := raid.Geometry{Data: 4, Stripes: 10, Journal: 1} // 160 KiB
	const k = 1024
	for _, test := range []struct {
		offset, length int64
		want           Record
		folded         int
	}{
		{100, 60 * k, Record{Offset: 100, Length: 60 * k}, 0},
		{0, 160 * k, Record{Offset: 0, Length: 160 * k}, 0},
		{160 * k, 16 * k, Record{Offset: 0, Length: 16 * k}, 1},
		{1604 * k, 16 * k, Record{Offset: 20 * k, Length: 16 * k}, 1},
		{7, 160 * k, Record{Offset: 0, Length: 160 * k}, 1},
		{5, 999 * k, Record{Offset: 0, Length: 160 * k}, 1},
	} {
		got, folded := fold([]Record{{Offset: test.offset, Length: test.length}}, g)
		if !reflect.DeepEqual(got, []Record{test.want}) || folded != test.folded {
			t.Errorf("%d bytes at %d: got %v, %d, want %v, %d", test.length, test.offset, got, folded, test.want, test.folded)
		}
	}
}

// TestVirtualAsksAsReal has reads of all kinds, long ones and such over the
// edges of stripes: the simulated array makes the same requests of its policy,
// and they ask as many members.
func TestVirtualAsksAsReal(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	var records []Record
	for range 200 {
		off := rng.Int64N(3 << 20)
		records = append(records, Record{Offset: off, Length: 1 + rng.Int64N(5*chunk)})
	}
	records = append(records, Record{Offset: 5000, Length: 7 << 20}) // two windows
	o := Default()
	o.Depth, o.Layout = 1, Layout{4, 2}
	proactive := policy.Default(policy.Proactive1)
	proactive.Backlog = 1000 // whoever the machine stalls is asked nevertheless
	o.Policies = []policy.Options{proactive}
	simulated, err := Virtual(t.Context(), "", records, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	real, err := Real(t.Context(), "", records, o, filesOf(t, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, want := simulated.Runs[0].Counters, real.Runs[0].Counters
	got.Bypassed, want.Bypassed = nil, nil // who is first is chance
	if !reflect.DeepEqual(got, want) {
		t.Errorf("simulated %+v, real %+v", got, want)
	}
	if got.Requests < 203 {
		t.Errorf("%d requests for %d reads: nothing was cut", got.Requests, len(records))
	}
}
