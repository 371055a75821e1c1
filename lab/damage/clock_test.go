package damage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/record"
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
			s.toldOnce(c.silent, c.unjudged)
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

// shownClock is the wall clock of a recorder that shows a wrong time for a while.
type shownClock struct {
	began time.Time
	shift func(at int64) int64
}

func (c shownClock) Now() (time.Time, time.Duration) {
	passed := time.Since(c.began)
	wall := time.Unix(began, 0).Add(passed).UTC()
	return wall.Add(time.Duration(c.shift(wall.Unix())) * time.Second), passed
}

// drives are four drives of a server. Drive sdc of server a becomes slow.
type drives struct {
	server string
	began  time.Time
	taken  int
}

func (*drives) Late(time.Duration) {}

func (d *drives) Uptime() (uint64, error) {
	return 360_000 + uint64(time.Since(d.began)/(10*time.Millisecond)), nil
}

func (*drives) Inventory() []string {
	return []string{"dev 8:0=sda", "dev 8:16=sdb", "dev 8:32=sdc", "dev 8:48=sdd"}
}

func (d *drives) Sample(s *sysstat.Sample) error {
	d.taken++
	since := time.Since(d.began).Seconds() + 3600
	s.Disks = s.Disks[:0]
	for i := range uint32(4) {
		reads := since * 50
		waited := reads*0.004 + float64((d.taken*(7+int(i)+len(d.server)))%11)*0.01
		if d.server == "a" && i == 2 {
			waited += max(0, since-3600-slowAfter) * 50 * 0.036
		}
		s.Disks = append(s.Disks, sysstat.Disk{
			Major: 8, Minor: 16 * i, IOs: uint64(reads), ReadSectors: uint64(reads) * 128, ReadTicks: uint32(waited * 1000), BusyTicks: uint32(since * 200), QueueTicks: uint32(waited * 1000),
		})
	}
	return nil
}

// recordClocks lets the recorders of two servers write files for an hour of a clock that no machine
// has. After each step it notes the sizes of the files, so that a server can see the files grow.
func recordClocks(t *testing.T, dir string, shift func(server string, at int64) int64) (sizes []map[string]int64) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for _, server := range []string{"a", "b"} {
			now := time.Now()
			o := record.DefaultOptions()
			o.Dir, o.Interval, o.Compress, o.KeepDays, o.File.Hostname = dir, stepSeconds*time.Second, record.Plain, 10_000, server
			o.Clock, o.Log = shownClock{now, func(at int64) int64 { return shift(server, at) }}, slog.New(slog.DiscardHandler)
			r, err := record.New(o, &drives{server: server, began: now})
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				if err := r.Run(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		for range stopAfter / stepSeconds {
			time.Sleep(stepSeconds * time.Second)
			synctest.Wait()
			now := map[string]int64{}
			for _, name := range filesOf(t, dir) {
				info, err := os.Stat(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				now[name] = info.Size()
			}
			sizes = append(sizes, now)
		}
		stop()
		all.Wait()
	})
	return sizes
}

// TestRecorderClocks: the clock of a machine with a recorder jumps, and a server follows its files
// while they grow. The one slow drive, and no other, is told, and once. A restart tells nothing again,
// and reads no record twice.
func TestRecorderClocks(t *testing.T) {
	const jumpAt, jumpFor = 10 * 60, 5 * 60
	for name, c := range map[string]struct {
		shift  func(server string, at int64) int64
		silent bool // events of a server without data are allowed: the records with a wrong time are not used
	}{
		"nothing":                  {shift: func(string, int64) int64 { return 0 }},
		"a leap second":            {shift: func(_ string, at int64) int64 { return jump(at, jumpAt, 1, -1) }},
		"ten minutes ahead":        {shift: func(server string, _ int64) int64 { return ifServer(server, "b", 600) }, silent: true},
		"an hour ahead for a time": {shift: func(server string, at int64) int64 { return ifServer(server, "b", jump(at, jumpAt, jumpFor, 3600)) }, silent: true},
		"a day behind for a time":  {shift: func(server string, at int64) int64 { return ifServer(server, "b", jump(at, jumpAt, jumpFor, -86400)) }, silent: true},
		"the slow drive's clock": {shift: func(server string, at int64) int64 {
			return ifServer(server, "a", jump(at, jumpAt, jumpFor, 600))
		}, silent: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := t.TempDir()
			sizes := recordClocks(t, from, c.shift)
			s := newSite(t, filepath.Join(t.TempDir(), "state"), began)
			s.follows = t.TempDir()
			if err := s.start(); err != nil {
				t.Fatal(err)
			}
			for i, now := range sizes {
				grow(t, from, s.follows, now)
				s.now.Store(began + int64(i+1)*stepSeconds)
				time.Sleep(5 * time.Millisecond)
			}
			s.wait("the slow drive", func() bool {
				s.now.Add(1) // rows wait for servers that are late
				var all struct {
					Events []struct{ Change, Text string }
				}
				s.ask("GET", "/api/v1/events?limit=1000", "", &all)
				return slices.ContainsFunc(all.Events, func(e struct{ Change, Text string }) bool {
					return e.Change == "opened" && strings.Contains(e.Text, "a/sdc")
				})
			})
			s.wait("the notifications", func() bool {
				var status api.Status
				s.ask("GET", "/api/v1/status", "", &status)
				s.mu.Lock()
				defer s.mu.Unlock()
				return len(s.told) > 0 && len(status.Receivers) == 1 && status.Receivers[0].Queued == 0
			})
			s.end()
			told := len(s.told)
			if err := s.start(); err != nil {
				t.Fatal(err)
			}
			defer s.end()
			s.wait("the server is ready", func() bool { return s.ask("GET", "/-/ready", "", nil) == http.StatusOK })
			s.toldOnce(c.silent, false)
			s.mu.Lock()
			defer s.mu.Unlock()
			if len(s.told) > told {
				t.Errorf("after a restart %d notifications were sent", len(s.told)-told)
			}
		})
	}
}

// grow copies as much of each file as it had at a time.
func grow(t *testing.T, from, to string, sizes map[string]int64) {
	t.Helper()
	for name, size := range sizes {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(filepath.Join(to, name), os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		has, err := f.Seek(0, io.SeekEnd)
		if err == nil && has < size {
			_, err = f.Write(data[has:size])
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// toldOnce fails unless the slow drive is told, once, and no other component. silent allows events of
// server b or a without data, and unjudged that the drive is not found.
func (s *site) toldOnce(silent, unjudged bool) {
	s.t.Helper()
	var events struct {
		Events []struct{ Change, Text string }
	}
	s.ask("GET", "/api/v1/events?limit=1000", "", &events)
	opened := 0
	for _, e := range events.Events {
		if silent && (strings.Contains(e.Text, "has sent no data") || strings.Contains(e.Text, "sent no data")) {
			continue
		}
		if !strings.Contains(e.Text, "a/sdc") {
			s.t.Errorf("%s: %s", e.Change, e.Text)
		}
		if e.Change == "opened" {
			opened++
		}
	}
	if opened > 1 || opened == 0 && !unjudged {
		s.t.Errorf("the slow drive was told %d times: %+v", opened, events.Events)
	}
}
