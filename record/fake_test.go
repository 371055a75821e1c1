package record

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// fakeClock is a wall clock that can be stepped, over the time that passes
// for time.Sleep.
type fakeClock struct {
	mu     sync.Mutex
	began  time.Time
	offset time.Duration
}

func newClock(wall time.Time) *fakeClock {
	now := time.Now()
	return &fakeClock{began: now, offset: wall.Sub(now)}
}

func (c *fakeClock) Now() (time.Time, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	return now.Round(0).Add(c.offset).UTC(), now.Sub(c.began)
}

func (c *fakeClock) step(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += d
}

// fakeMachine counts its samples in the I/Os of its disk.
type fakeMachine struct {
	clock     Clock
	booted    time.Duration // by the clock's elapsed time
	taken     uint64
	takes     time.Duration // to take a sample
	late      []time.Duration
	disks     int
	mu        sync.Mutex // of inventory
	inventory []string
}

func (m *fakeMachine) Late(by time.Duration) { m.late = append(m.late, by) }

func (m *fakeMachine) Sample(s *sysstat.Sample) error {
	m.taken++
	time.Sleep(m.takes)
	for len(s.Disks) < max(m.disks, 1) {
		s.CPUs = append(s.CPUs[:0], sysstat.CPU{}, sysstat.CPU{})
		s.Disks = append(s.Disks, sysstat.Disk{Major: 8, Minor: uint32(16 * len(s.Disks))})
	}
	s.Disks[0].IOs = m.taken
	return nil
}

func (m *fakeMachine) Uptime() (uint64, error) {
	_, elapsed := m.clock.Now()
	return uint64((elapsed - m.booted) / (time.Second / 100)), nil
}

func (m *fakeMachine) Inventory() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.inventory
}

// shows changes the devices.
func (m *fakeMachine) shows(inventory ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inventory = inventory
}

// host is a server of which the recorder can be started and stopped.
type host struct {
	*testing.T
	clock   *fakeClock
	machine *fakeMachine
	opts    Options
	prepare func(*Recorder) // before it runs
}

// uptimeAtFirst of a host; the test begins with a server that runs.
const uptimeAtFirst = time.Hour

func newHost(t *testing.T, wall time.Time) *host {
	h := &host{T: t, clock: newClock(wall), opts: DefaultOptions()}
	h.machine = &fakeMachine{clock: h.clock, booted: -uptimeAtFirst, inventory: []string{"dev 8:0=sda"}}
	h.opts.Dir, h.opts.File.Hostname, h.opts.Clock = t.TempDir(), "fs1", h.clock
	h.opts.Compress = Plain
	h.prepare = func(r *Recorder) {
		r.syncData, r.syncDir = func(*os.File) error { return nil }, func(string) error { return nil }
	}
	return h
}

// run records while script runs.
func (h *host) run(script func()) {
	h.Helper()
	r, err := New(h.opts, h.machine)
	if err != nil {
		h.Fatal(err)
	}
	h.prepare(r)
	ctx, cancel := context.WithCancel(h.Context())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	synctest.Wait()
	script()
	cancel()
	if err := <-done; err != nil {
		h.Error(err)
	}
}

// record records for some time.
func (h *host) record(d time.Duration) {
	h.Helper()
	h.run(func() { time.Sleep(d) })
}

// reboot starts the host anew.
func (h *host) reboot() {
	_, h.machine.booted = h.clock.Now()
	h.machine.taken = 0
}

// names are those of the files that are there, but for the lock.
func (h *host) names() []string {
	entries, err := os.ReadDir(h.opts.Dir)
	if err != nil {
		h.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != lockName(h.opts.File.Hostname) {
			names = append(names, e.Name())
		}
	}
	return names
}

func (h *host) wantNames(want ...string) {
	h.Helper()
	if got := h.names(); !slices.Equal(got, want) {
		h.Fatalf("files: got %q, want %q", got, want)
	}
}

// content is what a file holds.
type content struct {
	times    []int64  // of samples
	ios      []uint64 // of their first disk
	comments []string
	restarts int
	first    sysstat.RecordType
}

func (h *host) read(name string) content {
	h.Helper()
	return readFile(h.T, filepath.Join(h.opts.Dir, name))
}

// readFile reads a file that has no fault.
func readFile(t *testing.T, path string) content {
	t.Helper()
	c, warnings := readWarned(t, path)
	for _, w := range warnings {
		t.Error(w)
	}
	return c
}

// readTorn reads one that may have some.
func readTorn(t *testing.T, path string) content {
	t.Helper()
	c, _ := readWarned(t, path)
	return c
}

func readWarned(t *testing.T, path string) (content, []sysstat.Warning) {
	t.Helper()
	r, err := sysstat.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var c content
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		c.add(rec)
	}
	return c, r.Warnings()
}

func (c *content) add(rec *sysstat.Record) {
	if c.first == 0 {
		c.first = rec.Type
	}
	switch rec.Type {
	case sysstat.Stats:
		c.times = append(c.times, rec.Time)
		for _, d := range rec.Disks(nil) {
			c.ios = append(c.ios, d.IOs)
			break
		}
	case sysstat.Comment:
		c.comments = append(c.comments, rec.Comment())
	case sysstat.Restart:
		c.restarts++
	}
}

func at(s string) time.Time {
	t, err := time.Parse(time.DateTime, s)
	if err != nil {
		panic(err)
	}
	return t
}
