package replay

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/policy"
)

const ms = time.Millisecond

// even is a drive that always takes 10 ms.
type even struct{}

func (even) service(_, _ float64, _, _, _ int64) time.Duration { return 10 * ms }

func stripe(at time.Duration, write bool) Record {
	return Record{At: at, Offset: 0, Length: 2 * chunk, Write: write}
}

// TestQueues has reads of both of two drives that take 10 ms each.
func TestQueues(t *testing.T) {
	for _, test := range []struct {
		name    string
		records []Record
		depth   int
		want    []time.Duration
	}{
		{"apart", []Record{stripe(0, false), stripe(10*ms, false)}, 0, []time.Duration{10 * ms, 10 * ms}},
		{"behind", []Record{stripe(0, false), stripe(4*ms, false)}, 0, []time.Duration{10 * ms, 16 * ms}},
		{"one by one", []Record{stripe(0, false), stripe(0, false)}, 1, []time.Duration{10 * ms, 10 * ms}},
		{"two at a time", []Record{stripe(0, false), stripe(0, false), stripe(0, false)}, 2, []time.Duration{10 * ms, 20 * ms, 20 * ms}},
		{"behind a write", []Record{stripe(0, true), stripe(0, false)}, 0, []time.Duration{-1, 20 * ms}},
		{
			"behind a write of a part",
			[]Record{{Offset: chunk, Length: 1, Write: true}, {Offset: 0, Length: 1}, {Offset: chunk, Length: 1}},
			0,
			[]time.Duration{-1, 10 * ms, 30 * ms},
		},
	} {
		if got := serveEven(t, policy.Normal, test.records, test.depth).latency; !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// serveEven replays on two drives and two with parity that take 10 ms.
func serveEven(t *testing.T, kind policy.Kind, records []Record, depth int) *Run {
	t.Helper()
	p, err := policy.New(policy.Default(kind), 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	none := defaultDistribution(KindNone)
	s := &simulation{
		layout: Layout{2, 2}, policy: p, model: even{}, delay: &none, members: make([]simulated, 4),
		run: newRun(policy.Default(kind), len(records)), most: len(records), feed: feed{records: records, depth: depth, speed: 1},
	}
	if err := s.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.run.finish(p.Counters(), s.now)
	return s.run
}

// TestWritesAskParity has a write keep the parity drives busy that a read asks
// along.
func TestWritesAskParity(t *testing.T) {
	records := []Record{{Offset: 0, Length: 1, Write: true}, {At: ms, Offset: chunk, Length: 1}, {At: ms, Offset: chunk, Length: 1}}
	run := serveEven(t, policy.Proactive1, records, 0)
	if want := []time.Duration{-1, 10 * ms, 20 * ms}; !slices.Equal(run.latency, want) {
		t.Errorf("got %v, want %v", run.latency, want)
	}
	if run.Took != 40*ms { // the write's 20, then two reads of drive 0 and P
		t.Errorf("took %v", run.Took)
	}
}

func TestEvents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var h events
	var last event
	for i := range 20_000 {
		h.push(event{at: last.at + time.Duration(rng.IntN(50))})
		if i%2 == 1 || i > 15_000 {
			e, _ := h.pop()
			if i > 1 && e.before(&last) {
				t.Fatalf("%v after %v", e, last)
			}
			last = e
		}
	}
	for e, ok := h.pop(); ok; e, ok = h.pop() {
		if e.before(&last) {
			t.Fatalf("%v after %v", e, last)
		}
		last = e
	}
}

// TestExtent compares with going through every byte.
func TestExtent(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		l := Layout{Data: 1 + rng.IntN(9), Parity: 2}
		offset, length := rng.Int64N(1<<18), 1+rng.Int64N(1<<17)
		want := extent{offset: math.MaxInt64}
		var end int64
		for c := offset / chunk; c*chunk < offset+length; c++ {
			m, at := int(c)%l.Data, c/int64(l.Data)*chunk
			if !slices.Contains(want.want, m) {
				want.want = append(want.want, m)
			}
			want.offset, end = min(want.offset, at), max(end, at+chunk)
		}
		slices.Sort(want.want)
		want.bytes = end - want.offset
		if got := l.extent(raid.Extent{Off: offset, Len: length}); !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, %d bytes at %d: got %v, want %v", l, length, offset, got, want)
		}
	}
}

func TestDisk(t *testing.T) {
	d := disk{capacity: 1e12}
	if got := d.service(0.9, 0, 4096, 4096, 65536); got > ms {
		t.Errorf("a read that goes on takes %v", got)
	}
	rng := rand.New(rand.NewPCG(6, 6))
	var sum, most time.Duration
	const n = 100_000
	for range n {
		took := d.service(rng.Float64(), 0, rng.Int64N(1e12), rng.Int64N(1e12), 4096)
		sum, most = sum+took, max(most, took)
	}
	// Data sheets: 8.5 ms and half a revolution of 8.3 ms.
	if mean := sum / n; mean < 12500*time.Microsecond || mean > 13200*time.Microsecond {
		t.Errorf("a random read takes %v on average", mean)
	}
	if most > 24*ms {
		t.Errorf("one took %v", most)
	}
}

func TestSSD(t *testing.T) {
	var all []time.Duration
	for i := range 100_000 {
		u, v := draws(1, i%10, i/10)
		all = append(all, ssd{}.service(u, v, 0, 0, 4096))
	}
	slices.Sort(all)
	for _, test := range []struct {
		share    float64
		from, to time.Duration
	}{{0.5, 90, 105}, {0.98, 115, 150}, {0.999, 900, 1050}} {
		got := all[rank(test.share, len(all))] / time.Microsecond
		if got < test.from || got > test.to {
			t.Errorf("quantile %v is %d µs, want %d to %d", test.share, got, test.from, test.to)
		}
	}
}

// TestInterrupted ends before the trace does.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Virtual(ctx, "", hadoop(t, 100_000, 25), Default(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
