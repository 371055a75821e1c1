package intake

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/store/storetest"
)

// behindStore is a store with the hours of some servers, and whoever reads them: a sink
// that notes how far each has come, and sees that rows are held open for those behind.
type behindStore struct {
	t      *testing.T
	f      *storetest.Failing
	poller *poller
	now    time.Time
	takes  time.Duration // that a read takes
	fails  func(server string) bool
	at     map[string]time.Time // by server
	given  map[string]bool      // servers that nobody waits for
	asked  []string             // questions whose end is before their begin
}

var sixHours = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func newBehindStore(t *testing.T, servers int) *behindStore {
	t.Helper()
	b := &behindStore{t: t, f: storetest.NewFailing(t), now: sixHours.Add(6 * time.Hour), at: map[string]time.Time{}, given: map[string]bool{}, fails: func(string) bool { return false }}
	for i := range servers {
		host := fmt.Sprintf("fs%02d", i+1)
		b.at[host] = sixHours.Add(-time.Second) // there is nothing earlier
		for at := sixHours; at.Before(sixHours.Add(8 * time.Hour)); at = at.Add(time.Minute) {
			b.f.Add(at.UnixMilli(), 1, "node_disk_io_time_seconds_total", "instance", host+":9100", "device", "sda")
		}
	}
	b.f.Now = b.now.UnixMilli()
	b.f.Fail = func(_ int, labels string, from, to int64) (int, string) {
		if from > to {
			b.asked = append(b.asked, labels)
		}
		b.now = b.now.Add(b.takes)
		for host := range b.at {
			if strings.Contains(labels, host) && b.fails(host) {
				return 404, "away"
			}
		}
		return 0, ""
	}
	s := DefaultStore()
	s.Name, s.Connect.Post.URL, s.Connect.FirstPause, s.Since = "site", b.f.URL, time.Millisecond, 6*time.Hour
	p, err := newPoll([]Store{s}, b, func() time.Time { return b.now })
	if err != nil {
		t.Fatal(err)
	}
	b.poller = p
	return b
}

func (b *behindStore) Last(string) (time.Time, error) { return time.Time{}, nil }

func (b *behindStore) Take(_ string, batch *exporter.Batch) (exporter.Counts, error) {
	until, least, most := b.poller.Until(), time.Time{}, time.Time{}
	for host, at := range b.at {
		if until.After(at) && b.now.Sub(at) > 3*time.Minute && !b.given[host] {
			b.t.Errorf("rows may be closed up to %v, and %s was read up to %v", until, host, at)
		}
	}
	batch.Each(func(s *exporter.Series) {
		host := exporter.HostOf(string(s.Server))
		for _, x := range s.Samples {
			if at := time.UnixMilli(x.Time); at.After(b.at[host]) {
				b.at[host] = at
			}
		}
	})
	for host, at := range b.at {
		if b.given[host] || b.fails(host) {
			continue
		}
		if least.IsZero() || at.Before(least) {
			least = at
		}
		if at.After(most) {
			most = at
		}
	}
	if most.Sub(least) > 2*time.Hour {
		b.t.Errorf("one server is %v ahead of another", most.Sub(least))
	}
	return exporter.Counts{}, nil
}

// pass lets time go on, and asks the store.
func (b *behindStore) pass(d time.Duration) {
	b.f.Set(func() { b.now = b.now.Add(d); b.f.Now = b.now.UnixMilli() })
	b.poller.Ask(b.t.Context())
}

func (b *behindStore) held(what string, want bool) {
	b.t.Helper()
	if got := b.poller.Until().Before(b.now); got != want {
		b.t.Errorf("%s: rows are held: %v, up to %v", what, got, b.poller.Until())
	}
}

// TestHold: where a store is asked for hours, servers are read side by side, and rows are
// held open until all are read; while it is away or hangs, for five minutes; and again
// when it is back.
func TestHold(t *testing.T) {
	b := newBehindStore(t, 4)
	b.held("before the first question", true)
	b.poller.Ask(t.Context())
	b.held("all was read", false)
	for host, at := range b.at {
		if b.now.Sub(at) > 2*time.Minute {
			t.Errorf("%s was read up to %v", host, at)
		}
	}
	b.fails = func(string) bool { return true }
	b.pass(2 * time.Minute)
	b.held("the store is away", true)
	b.pass(10 * time.Minute)
	b.held("it has been away for long", false)
	b.fails = func(string) bool { return false }
	b.pass(time.Minute) // the sink sees that rows are held meanwhile
	b.held("it is back", false)
	b.now = b.now.Add(2 * time.Minute)
	b.held("it hangs", true)
	b.now = b.now.Add(4 * time.Minute)
	b.held("it has hung for long", false)
}

// TestHoldBadServer: one server that cannot be read is waited for for five minutes, and
// keeps nobody from being read.
func TestHoldBadServer(t *testing.T) {
	b := newBehindStore(t, 4)
	b.fails = func(host string) bool { return host == "fs02" }
	b.poller.Ask(t.Context())
	b.held("one server cannot be read", true)
	b.given["fs02"] = true
	for range 8 {
		b.pass(time.Minute)
	}
	b.held("it could not be read for long", false)
	if at := b.at["fs04"]; b.now.Sub(at) > 2*time.Minute {
		t.Errorf("the server behind it was read up to %v", at)
	}
	if status := b.poller.Status()[0]; status.Up || !strings.Contains(status.Trouble, "fs02") {
		t.Errorf("%+v", status)
	}
}

// TestHoldSlowStore: a store that gets on is waited for, however slow it is.
func TestHoldSlowStore(t *testing.T) {
	b := newBehindStore(t, 40)
	b.takes = 10 * time.Second // an hour of all takes longer than anybody is waited for
	b.poller.Ask(t.Context())
}

// TestClockSetBack: nobody is asked for what ends before it begins.
func TestClockSetBack(t *testing.T) {
	b := newBehindStore(t, 4)
	b.poller.Ask(t.Context())
	b.pass(-3 * time.Minute)
	if len(b.asked) > 0 || !b.poller.Status()[0].Up {
		t.Errorf("asked backwards: %q; %+v", b.asked, b.poller.Status()[0])
	}
}
