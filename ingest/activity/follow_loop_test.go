package activity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest"
)

var _ ingest.Source = (*Following)(nil)

// gatherRows takes rows until the end, or until there are enough.
func gatherRows(t *testing.T, f *Following, enough int) (rows []string, changes int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for len(rows) < enough {
		row, err := f.Next(ctx)
		switch {
		case errors.Is(err, ingest.ErrChanged):
			changes++
			continue
		case err == io.EOF:
			return rows, changes
		case err != nil:
			t.Fatalf("%v after %d rows: %+v", err, len(rows), f.Progress())
		}
		rows = append(rows, show(row, f.System(), f.Schema()))
	}
	return rows, changes
}

// TestFollowOnce: existing files give the rows and the system of Open.
func TestFollowOnce(t *testing.T) {
	for name, dir := range map[string]string{"days": days(t, 3), "cluster": busyCluster(t, 30)} {
		o := Options{Metrics: []string{"await"}}
		if name == "cluster" {
			o = Options{Metrics: network, StepSeconds: 1}
		}
		want := opened(t, dir, o)
		f, err := Follow(t.Context(), []string{dir}, o, FollowOptions{Once: true, Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		got, changes := gatherRows(t, f, 1<<30)
		sameRows(t, got, want)
		if changes != 1 {
			t.Errorf("%d changes", changes)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if _, err := f.Next(t.Context()); err != io.EOF {
			t.Errorf("after Close: %v", err)
		}
	}
}

// TestFollowOnceNothing: without files Once ends with the reason.
func TestFollowOnceNothing(t *testing.T) {
	f, err := Follow(t.Context(), []string{t.TempDir()}, Options{}, FollowOptions{Once: true, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Next(t.Context()); err == nil || !strings.Contains(err.Error(), "no activity files") {
		t.Error(err)
	}
}

// TestFollowRefuses settings that cannot work.
func TestFollowRefuses(t *testing.T) {
	for _, c := range []struct {
		o    Options
		f    FollowOptions
		says string
	}{
		{Options{}, FollowOptions{}, "FollowOptions.Now is not set"},
		{Options{}, FollowOptions{Now: time.Now, After: -1}, "must be at least 0"},
		{Options{Metrics: []string{"awate"}}, FollowOptions{Now: time.Now}, "awate"},
		{Options{StepSeconds: -1}, FollowOptions{Now: time.Now}, "a time step of -1 s"},
	} {
		if _, err := Follow(t.Context(), []string{"."}, c.o, c.f); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
}

// TestFollowYoung: the progress names a file that a recorder has just created
// and that is still empty.
func TestFollowYoung(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sa01"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Follow(t.Context(), []string{dir}, Options{}, FollowOptions{Poll: time.Millisecond, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(f.Progress().Waiting, "yet") })
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestFollowRuns: a directory that does not exist yet, files that grow in it
// while rows are taken, a topology that is set, and an end by Close.
func TestFollowRuns(t *testing.T) {
	from := days(t, 3)
	th := newTheatre(t, from, Options{Metrics: []string{"await"}})
	th.dir = filepath.Join(th.dir, "later")
	var clock atomic.Int64
	clock.Store(th.clock)
	before := runtime.NumGoroutine()
	f, err := Follow(t.Context(), []string{th.dir}, th.opts, FollowOptions{
		Poll: time.Millisecond, Now: func() time.Time { return time.Unix(clock.Load(), 0) },
	})
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(f.Progress().Waiting, "does not exist yet") })
	if a := f.Progress().Awaited; len(a) != 1 || a[0].Exists || !strings.Contains(a[0].Text, th.dir+": the directory does not exist yet; create the directory") {
		t.Errorf("awaited: %+v", a)
	}
	if err := os.Mkdir(th.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(f.Progress().Waiting, th.dir+": no activity files yet") })
	want := opened(t, from, th.opts)
	go func() {
		for th.clock <= th.last()+300 {
			th.write()
			clock.Store(th.clock)
			letRead(f, min(th.clock, th.last()))
			th.clock += 15
		}
		// A scan during which this clock jumps counts as long, and the next scan waits for the
		// clock. So the clock goes on.
		for range 200 {
			time.Sleep(time.Millisecond)
			clock.Add(15)
		}
	}()
	rows, changes := gatherRows(t, f, len(want))
	sameRows(t, rows, want)
	if a := f.Progress().Awaited; len(a) > 0 {
		t.Errorf("files have come, and are awaited: %+v", a)
	}
	if changes == 0 || f.FoundCount() != 9 || len(f.Found()) != 9 {
		t.Errorf("%d changes, %d sightings and %d", changes, f.FoundCount(), len(f.Found()))
	}
	f.SetSystem(system(t, "servers: fs[1-3]\ndrives:\n  - devices: sd[a-b]\n    peers: all\n"))
	if _, err := f.Next(t.Context()); !errors.Is(err, ingest.ErrChanged) || f.Schema().Components != 6 {
		t.Errorf("%v, %d components", err, f.Schema().Components)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	waitFor(t, func() bool { return runtime.NumGoroutine() <= before })
}

// letRead waits until all known machines were read up to a minute ago, and for a second at most. A
// clock that goes on while a scan reads the files would close rows before the last files are read.
func letRead(f *Following, now int64) {
	for range 1000 {
		if !slices.ContainsFunc(f.Progress().Machines, func(m ServerProgress) bool { return m.LastRecord < now-60 }) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// waitFor fails where a condition does not become true.
func waitFor(t *testing.T, is func() bool) {
	t.Helper()
	for range 60_000 { // a minute
		if is() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("it does not come to be")
}

// TestFollowIsCancelled: a blocked Next returns at once.
func TestFollowIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f, err := Follow(ctx, []string{t.TempDir()}, Options{}, FollowOptions{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	waiting, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if _, err := f.Next(waiting); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := f.Next(t.Context()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestFollowedIsBounded: memory and open files do not grow with the number of
// days: one open file for each server.
func TestFollowedIsBounded(t *testing.T) {
	from := t.TempDir()
	for i := range 2 {
		host := fmt.Sprintf("fs%d", i)
		last := record(t, from, host+"-00.sa", host, midnight, 3)
		for day := 1; day < 60; day++ {
			last.varied(60, 5, uint64(day))
			next := record(t, from, fmt.Sprintf("%s-%02d.sa", host, day), host, last.now, 3)
			next.disks, next.uptime = last.disks, last.uptime
			last.file.Close()
			next.write()
			last = next
		}
	}
	th := newTheatre(t, from, Options{Metrics: []string{"await"}})
	th.begin()
	most := 0
	for end := th.last() + 300; th.clock <= end; th.clock += 5 {
		th.write()
		th.look()
		most = max(most, openFiles(t, th.dir))
		for _, p := range th.tapes[:len(th.tapes)-2] {
			if p.at == len(p.bytes) && th.clock > p.times[len(p.times)-1]+600 {
				_ = os.Remove(filepath.Join(th.dir, p.name)) // retention
			}
		}
	}
	th.same()
	if most > 4 {
		t.Errorf("%d files were open at a time, of two servers", most)
	}
	if p := th.f.Progress(); p.Files > 30 || p.Open > 2 {
		t.Errorf("%+v", p)
	}
}

// openFiles counts the open files of this process below a directory.
func openFiles(t *testing.T, dir string) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc: open files cannot be counted")
	}
	n := 0
	for _, e := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.HasPrefix(to, dir) {
			n++
		}
	}
	return n
}
