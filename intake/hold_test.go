package intake

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/intake/machine"
	"github.com/limpet-storage/limpet/intake/poll"
	"github.com/limpet-storage/limpet/intake/series"
	"github.com/limpet-storage/limpet/store/storetest"
)

// reader is a sink that notes how far each server has come, and sees that rows are held
// open for those that are behind.
type reader struct {
	t      *testing.T
	poller *poll.Poller
	at     map[string]time.Time // by server
}

func (r *reader) Last(string) (time.Time, error) { return time.Time{}, nil }

func (r *reader) Take(_ string, b *series.Batch) (machine.Counts, error) {
	until := r.poller.Until()
	for host, at := range r.at {
		if until.After(at) {
			r.t.Errorf("rows may be closed up to %v, and %s was read up to %v", until, host, at)
		}
	}
	b.Each(func(s *series.Series) {
		host := series.HostOf(string(s.Server))
		for _, x := range s.Samples {
			if at := time.UnixMilli(x.Time); at.After(r.at[host]) {
				r.at[host] = at
			}
		}
	})
	least, most := slices.MinFunc(slices.Collect(maps.Values(r.at)), time.Time.Compare), slices.MaxFunc(slices.Collect(maps.Values(r.at)), time.Time.Compare)
	if most.Sub(least) > 2*time.Hour {
		r.t.Errorf("one server is %v ahead of another", most.Sub(least))
	}
	return machine.Counts{}, nil
}

// TestHold: where a store is asked for hours, servers are read side by side, and rows are
// held open until all are read; while it is away, for five minutes; and when it is back.
func TestHold(t *testing.T) {
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	now := begin.Add(6 * time.Hour)
	f := storetest.NewFailing(t)
	r := &reader{t: t, at: map[string]time.Time{}}
	for i := range 4 {
		r.at[fmt.Sprint("fs", i+1)] = begin.Add(-time.Second) // there is nothing earlier
		for at := begin; at.Before(begin.Add(8 * time.Hour)); at = at.Add(time.Minute) {
			f.Add(at.UnixMilli(), 1, "node_disk_io_time_seconds_total", "instance", fmt.Sprintf("fs%d:9100", i+1), "device", "sda")
		}
	}
	f.Now = now.UnixMilli()
	away := false
	f.Fail = func(int, string, int64, int64) (int, string) {
		if away {
			return 404, "away"
		}
		return 0, ""
	}
	s := poll.DefaultStore()
	s.Name, s.Connect.Post.URL, s.Connect.FirstPause, s.Since = "site", f.URL, time.Millisecond, 6*time.Hour
	p, err := poll.New([]poll.Store{s}, r, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	r.poller = p
	held := func(what string, want bool) {
		t.Helper()
		if got := p.Until().Before(now); got != want {
			t.Errorf("%s: rows are held: %v, up to %v", what, got, p.Until())
		}
	}
	held("before the first question", true)
	p.Ask(t.Context())
	held("all was read", false)
	for host, at := range r.at {
		if now.Sub(at) > 2*time.Minute {
			t.Errorf("%s was read up to %v", host, at)
		}
	}
	pass := func(d time.Duration) {
		f.Set(func() { now = now.Add(d); f.Now = now.UnixMilli() })
		p.Ask(t.Context())
	}
	f.Set(func() { away = true })
	pass(time.Minute)
	held("the store is away", true)
	pass(10 * time.Minute)
	held("it has been away for long", false)
	f.Set(func() { away = false })
	pass(time.Minute) // the sink sees that rows are held meanwhile
	held("it is back", false)
}
