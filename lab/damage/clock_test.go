package damage

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/record/sysstat"

	"github.com/limpet-storage/limpet/server/api"
)

// TestClocks: a clock of the server or of a sender jumps, or two senders have one name. Every record
// that the server keeps was sent with this time, and no time is kept twice. The one slow drive, and
// no other, is told, and once. A restart tells nothing again.
func TestClocks(t *testing.T) {
	const jumpAt, jumpFor = 10 * 60, 5 * 60 // seconds: before the drive becomes slow
	type sent struct {
		server string
		stamp  int64
	}
	for name, c := range map[string]struct {
		// clock returns the time that the server's clock shows.
		clock func(at int64) int64
		// stamp returns the time that a sender gives to a scrape.
		stamp func(server string, at int64) int64
		// twin sends the scrape of another machine with the same name, too.
		twin bool
		// silent allows events of a sender without data: those with a wrong time are not its own.
		silent bool
		// unjudged allows that the slow drive is not found: its server cannot be judged.
		unjudged bool
	}{
		"nothing":                       {},
		"the server is an hour ahead":   {clock: func(at int64) int64 { return at + jump(at, jumpAt, jumpFor, 3600) }},
		"the server is a day behind":    {clock: func(at int64) int64 { return at + jump(at, jumpAt, jumpFor, -86400) }},
		"a leap second":                 {stamp: func(_ string, at int64) int64 { return at + jump(at, jumpAt, 1, -1) }},
		"a sender is ten minutes ahead": {stamp: func(server string, at int64) int64 { return at + ifServer(server, "b", 600) }},
		"a sender jumps ahead by an hour": {stamp: func(server string, at int64) int64 {
			return at + ifServer(server, "b", jump(at, jumpAt, jumpFor, 3600))
		}, silent: true},
		"a sender jumps back by a day": {stamp: func(server string, at int64) int64 {
			return at + ifServer(server, "b", jump(at, jumpAt, jumpFor, -86400))
		}, silent: true},
		"two senders with one name": {twin: true, unjudged: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, filepath.Join(t.TempDir(), "state"), began)
			if err := s.start(); err != nil {
				t.Fatal(err)
			}
			taken := map[sent]bool{}
			send := func(server string, at int64, more float64) {
				stamp := at
				if c.stamp != nil {
					stamp = c.stamp(server, at)
				}
				if code := s.send(server, at, stamp, more); code == http.StatusNoContent {
					taken[sent{server, stamp}] = true
				} else if code < 400 || code >= 500 {
					t.Fatalf("samples are answered with %d", code)
				}
			}
			for at := int64(began + stepSeconds); at <= began+stopAfter; at += stepSeconds {
				now := at
				if c.clock != nil {
					now = c.clock(at)
				}
				s.now.Store(now)
				send("a", at, 0)
				send("b", at, 0)
				if c.twin {
					send("b", at, 1e6)
				}
			}
			if !c.unjudged {
				s.wait("the incident", func() bool { return len(s.incidents()) > 0 })
				s.wait("the notification", func() bool { // on a busy machine it would come after the restart
					var status api.Status
					s.ask("GET", "/api/v1/status", "", &status)
					s.mu.Lock()
					defer s.mu.Unlock()
					return len(s.told) > 0 && len(status.Receivers) == 1 && status.Receivers[0].Queued == 0
				})
			}
			kept := map[sent]int{}
			for _, one := range recordsOf(t, filepath.Join(s.state, "intake")) {
				key := sent{one.server, one.time}
				if kept[key]++; kept[key] > 1 {
					t.Errorf("%v is kept %d times", key, kept[key])
				}
				if !taken[key] {
					t.Errorf("%v was not sent", key)
				}
			}
			if len(kept) == 0 {
				t.Error("no record was kept")
			}
			s.end()
			told := len(s.told)
			if err := s.start(); err != nil {
				t.Fatal(err)
			}
			defer s.end()
			s.wait("the server is ready", func() bool { return s.ask("GET", "/-/ready", "", nil) == http.StatusOK })
			var events struct {
				Events []struct{ Change, Text string }
			}
			s.ask("GET", "/api/v1/events?limit=1000", "", &events)
			opened := 0
			for _, e := range events.Events {
				if c.silent && (strings.Contains(e.Text, "b has sent no data") || strings.Contains(e.Text, "b sent no data")) {
					continue
				}
				if !strings.Contains(e.Text, "a/sdc") {
					t.Errorf("%s: %s", e.Change, e.Text)
				}
				if e.Change == "opened" {
					opened++
				}
			}
			if opened > 1 || opened == 0 && !c.unjudged {
				t.Errorf("the slow drive was told %d times: %+v", opened, events.Events)
			}
			s.mu.Lock()
			if len(s.told) > told {
				t.Errorf("after a restart %d notifications were sent", len(s.told)-told)
			}
			s.mu.Unlock()
		})
	}
}

// jump returns a shift for some seconds, and 0 before and after.
func jump(at, from, seconds, by int64) int64 {
	if since := at - began - from; since >= 0 && since < seconds {
		return by
	}
	return 0
}

func ifServer(server, which string, by int64) int64 {
	if server == which {
		return by
	}
	return 0
}

type received struct {
	server string
	time   int64
}

// recordsOf returns the records of all received files.
func recordsOf(t *testing.T, dir string) (list []received) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.sa"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		r, err := sysstat.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(fmt.Errorf("%s: %w", path, err))
			}
			if rec.Type == sysstat.Stats {
				list = append(list, received{r.Header().Hostname, rec.Time})
			}
		}
		r.Close()
	}
	return list
}
