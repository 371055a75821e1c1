package intake

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/store/storetest"
)

// behindStore is a store with hours of samples of some servers, and a sink that
// checks that rows are held open for servers that are behind.
type behindStore struct {
	t      *testing.T
	f      *storetest.Failing
	poller *poller
	now    time.Time
	takes  time.Duration // duration of a read
	fails  func(server string) bool
	at     map[string]time.Time // by server
	given  map[string]bool      // servers that rows do not wait for
	asked  []string             // requests whose end is before their start
}

var sixHours = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func newBehindStore(t *testing.T, servers int) *behindStore {
	t.Helper()
	b := &behindStore{t: t, f: storetest.NewFailing(t), now: sixHours.Add(6 * time.Hour), at: map[string]time.Time{}, given: map[string]bool{}, fails: func(string) bool { return false }}
	for i := range servers {
		host := fmt.Sprintf("fs%02d", i+1)
		b.at[host] = sixHours.Add(-time.Second) // there are no earlier samples
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
	until, least, most := b.poller.ClosableUntil(), time.Time{}, time.Time{}
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

// pass advances the clock and polls the store.
func (b *behindStore) pass(d time.Duration) {
	b.f.Set(func() { b.now = b.now.Add(d); b.f.Now = b.now.UnixMilli() })
	b.poller.Poll(b.t.Context())
}

func (b *behindStore) held(what string, want bool) {
	b.t.Helper()
	if got := b.poller.ClosableUntil().Before(b.now); got != want {
		b.t.Errorf("%s: rows are held: %v, up to %v", what, got, b.poller.ClosableUntil())
	}
}

// TestHold: where hours have to be read, servers are read side by side, and
// rows are held open until all are read. While the store is unreachable or
// hangs they are held for five minutes, and again after it is back.
func TestHold(t *testing.T) {
	b := newBehindStore(t, 4)
	b.held("before the first question", true)
	b.poller.Poll(t.Context())
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
	b.pass(time.Minute) // the sink checks that rows are held
	b.held("it is back", false)
	b.now = b.now.Add(2 * time.Minute)
	b.held("it hangs", true)
	b.now = b.now.Add(4 * time.Minute)
	b.held("it has hung for long", false)
}

// TestHoldBadServer: rows wait five minutes for one server whose reads fail,
// and the other servers are read.
func TestHoldBadServer(t *testing.T) {
	b := newBehindStore(t, 4)
	b.fails = func(host string) bool { return host == "fs02" }
	b.poller.Poll(t.Context())
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

// TestHoldSlowStore: rows wait for a store that makes progress, however slow it
// is.
func TestHoldSlowStore(t *testing.T) {
	b := newBehindStore(t, 40)
	b.takes = 10 * time.Second // an hour of all servers takes longer than patience
	b.poller.Poll(t.Context())
}

// TestClockSetBack: no request ends before it begins.
func TestClockSetBack(t *testing.T) {
	b := newBehindStore(t, 4)
	b.poller.Poll(t.Context())
	b.pass(-3 * time.Minute)
	if len(b.asked) > 0 || !b.poller.Status()[0].Up {
		t.Errorf("asked backwards: %q; %+v", b.asked, b.poller.Status()[0])
	}
}

// TestHoldClockSetBack: rows do not wait for a store without progress for longer
// because the clock was a day ahead when limpet was started.
func TestHoldClockSetBack(t *testing.T) {
	b := newBehindStore(t, 1)
	b.held("before the first poll", true)
	b.now = b.now.Add(-24 * time.Hour)
	b.held("the clock was set back", true)
	b.now = b.now.Add(patience + time.Minute)
	b.held("patience is over", false)
}

// TestReadUntil: rows wait for the server that was read least far, but not for
// one that is quiet, one whose reads have failed for long, and none of a store
// without progress.
func TestReadUntil(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	long := now.Add(-patience - time.Second)
	for name, c := range map[string]struct {
		poll *storePoll
		want int64
	}{
		"no server is known": {&storePoll{lastProgress: now}, 0},
		"two servers": {&storePoll{lastProgress: now, listed: now, servers: map[string]*server{
			"a": {askedUntil: 7}, "b": {askedUntil: 5},
		}}, 5},
		"one is quiet": {&storePoll{lastProgress: now, listed: now, servers: map[string]*server{
			"a": {askedUntil: 7}, "b": {askedUntil: 5, quiet: quietPolls + 1},
		}}, 7},
		"one fails": {&storePoll{lastProgress: now, listed: now, servers: map[string]*server{
			"a": {askedUntil: 7}, "b": {askedUntil: 5, failingSince: now.Add(-patience)},
		}}, 5},
		"one has failed for long": {&storePoll{lastProgress: now, listed: now, servers: map[string]*server{
			"a": {askedUntil: 7}, "b": {askedUntil: 5, failingSince: long},
		}}, 7},
		"no progress": {&storePoll{lastProgress: long, listed: now, servers: map[string]*server{
			"a": {askedUntil: 7},
		}}, math.MaxInt64},
	} {
		if got := c.poll.readUntil(now); got != c.want {
			t.Errorf("%s: %d, not %d", name, got, c.want)
		}
	}
	failing := &server{askedUntil: 5, failingSince: now.Add(time.Hour)} // the clock was set back since
	poll := storePoll{lastProgress: now, listed: now, servers: map[string]*server{"a": failing}}
	if got := poll.readUntil(now); got != 5 {
		t.Errorf("a server fails: %d", got)
	}
	poll.lastProgress = now.Add(patience + time.Second)
	if got := poll.readUntil(poll.lastProgress); got != math.MaxInt64 {
		t.Errorf("it has failed for long since the clock was set back: %d", got)
	}
}

// TestHoldTwoStores: rows wait until the servers of all stores were read.
func TestHoldTwoStores(t *testing.T) {
	a, b := newBehindStore(t, 2), newBehindStore(t, 2)
	both := &poller{now: func() time.Time { return a.now }, stores: slices.Concat(a.poller.stores, b.poller.stores)}
	for _, s := range []*behindStore{a, b} {
		if !both.ClosableUntil().Before(a.now) {
			t.Error("rows do not wait for a store that was not read yet")
		}
		s.poller.Poll(t.Context())
	}
	if both.ClosableUntil().Before(a.now) {
		t.Errorf("both were read, and rows may be closed up to %v", both.ClosableUntil())
	}
}

// TestHoldHangingStore: while a store accepts a request and never answers, rows
// wait for patience and no longer, and the poller ends with its context.
func TestHoldHangingStore(t *testing.T) {
	asked := make(chan struct{}, 100)
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // the server notices a closed connection only after the body
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer hang.Close()
	var clock atomic.Int64
	clock.Store(sixHours.Unix())
	now := func() time.Time { return time.Unix(clock.Load(), 0) }
	s := DefaultStore()
	s.Name, s.Connect.Post.URL = "site", hang.URL
	p, err := newPoll([]Store{s}, &behindStore{}, now)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { p.Run(ctx); close(ended) }()
	<-asked
	if !p.ClosableUntil().Before(now()) {
		t.Error("rows do not wait")
	}
	clock.Add(int64((patience + time.Second).Seconds()))
	if p.ClosableUntil().Before(now()) {
		t.Errorf("rows still wait, up to %v", p.ClosableUntil())
	}
	cancel()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the poller does not end")
	}
}

// TestNewServerAfterClockSetBack: a server that appears after the clock was set
// back is found with the next poll.
func TestNewServerAfterClockSetBack(t *testing.T) {
	b := newBehindStore(t, 2)
	b.poller.Poll(t.Context())
	b.given["fs09"] = true // it is hours behind the others
	for at := sixHours; at.Before(sixHours.Add(3 * time.Hour)); at = at.Add(time.Minute) {
		b.f.Add(at.UnixMilli(), 1, "node_disk_io_time_seconds_total", "instance", "fs09:9100", "device", "sda")
	}
	b.pass(-3 * time.Hour)
	if at := b.at["fs09"]; b.now.Sub(at) > 2*time.Minute {
		t.Errorf("fs09 was read up to %v, and it is %v", at, b.now)
	}
}

// TestFrontier: samples are passed on up to the time that all series have
// reached, except series that have ended or are too late.
func TestFrontier(t *testing.T) {
	for name, c := range map[string]struct {
		progress map[string]seriesProgress
		want     int64
		kept     int
	}{
		"one is behind":          {map[string]seriesProgress{"a": {reached: 100}, "b": {reached: 60}}, 60, 2},
		"it has ended":           {map[string]seriesProgress{"a": {reached: 100}, "b": {reached: 60, ended: true}}, 100, 2},
		"it is too late":         {map[string]seriesProgress{"a": {reached: 100}, "b": {reached: 49}}, 100, 1},
		"it is just late enough": {map[string]seriesProgress{"a": {reached: 100}, "b": {reached: 50}}, 50, 2},
	} {
		if got := frontier(c.progress, 50); got != c.want || len(c.progress) != c.kept {
			t.Errorf("%s: %d with %d series, not %d with %d", name, got, len(c.progress), c.want, c.kept)
		}
	}
}

// TestEachSampleOnce: spans overlap, and every sample is passed on once, after
// all series of its server have reached it, and not where it is in a file.
func TestEachSampleOnce(t *testing.T) {
	label := func(device string) []exporter.Label {
		return []exporter.Label{
			{Name: []byte("__name__"), Value: []byte("node_disk_io_time_seconds_total")},
			{Name: []byte("instance"), Value: []byte("fs1:9100")},
			{Name: []byte("device"), Value: []byte(device)},
		}
	}
	progress, got := map[string]seriesProgress{}, map[string][]int64{}
	for _, reached := range [][2]int64{{3, 1}, {5, 4}, {5, 5}} { // of sda and sdb
		a := &answer{}
		for i, device := range []string{"sda", "sdb"} {
			var samples []exporter.Sample
			for at := int64(1); at <= reached[i]; at++ {
				samples = append(samples, exporter.Sample{Time: at})
			}
			if err := a.take(label(device), samples); err != nil {
				t.Fatal(err)
			}
		}
		progress = a.addProgress(progress)
		b := a.samplesUntil(frontier(progress, 100), progress, 0, "instance")
		b.Each(func(s *exporter.Series) {
			for _, x := range s.Samples {
				got[string(s.Key)] = append(got[string(s.Key)], x.Time)
			}
		})
	}
	want := []int64{1, 2, 3, 4, 5}
	if !slices.Equal(got["sda"], want) || !slices.Equal(got["sdb"], want) {
		t.Errorf("passed on are %v", got)
	}
	a := &answer{}
	if err := a.take(label("sda"), []exporter.Sample{{Time: 1}, {Time: 2}}); err != nil {
		t.Fatal(err)
	}
	fresh := a.addProgress(map[string]seriesProgress{})
	if b := a.samplesUntil(2, fresh, 1, "instance"); b.Len() != 1 {
		t.Errorf("%d samples are passed on, though a file ends with the first of two", b.Len())
	}
}

// TestAnswersAfterUnreachable: the first answer after a poll without any makes
// rows wait for all servers again; another answer only for its own server.
func TestAnswersAfterUnreachable(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, unreachable := range []bool{true, false} {
		a, b := &server{failingSince: now}, &server{failingSince: now}
		poll := storePoll{unreachable: unreachable, servers: map[string]*server{"a": a, "b": b}}
		poll.recordAnswer(a, now)
		if !a.failingSince.IsZero() || b.failingSince.IsZero() != unreachable || !poll.lastProgress.Equal(now) || poll.unreachable {
			t.Errorf("unreachable %v: a fails since %v, b since %v", unreachable, a.failingSince, b.failingSince)
		}
	}
}
