package agent

import (
	"fmt"
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
)

// A steppedClock is a wall clock that someone sets.
type steppedClock struct {
	mu     sync.Mutex
	began  time.Time
	offset time.Duration
}

func newSteppedClock(wall time.Time) *steppedClock {
	now := time.Now()
	return &steppedClock{began: now, offset: wall.Sub(now)}
}

func (c *steppedClock) Now() (time.Time, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	return now.Round(0).Add(c.offset).UTC(), now.Sub(c.began)
}

func (c *steppedClock) step(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += d
}

// live lets a planted machine live on for some seconds, in each of which its
// disk does an I/O.
func live(t *testing.T, o Options, second *int, seconds int) {
	t.Helper()
	for range seconds {
		for name, text := range map[string]string{
			"proc/uptime":    fmt.Sprintf("%d.25 0.00\n", 1000+*second),
			"proc/diskstats": fmt.Sprintf("8 0 sda %d 0 2048 40 50 0 4096 60 0 90 100\n", *second),
		} {
			if err := os.WriteFile(filepath.Join(o.Kernel.Root, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		*second++
		time.Sleep(time.Second)
	}
}

// age makes files as old as the clock says, as they are where the clock is the
// machine's.
func age(t *testing.T, o Options, clock *steppedClock) {
	t.Helper()
	wall, _ := clock.Now()
	files, _ := filepath.Glob(filepath.Join(o.Record.Dir, "fs1-*"))
	for _, f := range files {
		if err := os.Chtimes(f, wall, wall); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSteppedClock records over midnight while the clock is set back, forth
// and to another day: files are as the rules say, each step is told, each
// sample is in some file, and nobody takes it for a restart.
func TestSteppedClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, second := plant(t), 0
		o.NoTCP = true
		o.Record.File.Hostname, o.Record.Compress = "fs1", record.Plain
		clock := newSteppedClock(time.Date(2026, 2, 28, 23, 59, 49, 5e8, time.UTC))
		o.Record.Clock = clock
		live(t, o, &second, 1)
		stop := start(t, o)
		synctest.Wait()
		live(t, o, &second, 20) // to 00:00:10
		for _, step := range []time.Duration{-5 * time.Second, 37200 * time.Millisecond, 30 * time.Hour} {
			age(t, o, clock)
			clock.step(step)
			live(t, o, &second, 10)
		}
		stop()
		var comments []string
		seen := map[uint64]bool{}
		files, _ := filepath.Glob(filepath.Join(o.Record.Dir, "fs1-*"))
		for i, f := range files {
			files[i] = filepath.Base(f)
			comments = append(comments, remarksIn(t, f, seen)...)
		}
		if want := []string{"fs1-20260228T235950Z.sa", "fs1-20260301T000005Z.sa", "fs1-20260302T060103Z.sa"}; !slices.Equal(files, want) {
			t.Errorf("files %q, want %q", files, want)
		}
		if want := []string{"clock -5.0s", "clock +37.2s", "clock +108000.0s"}; !slices.Equal(comments, want) {
			t.Errorf("comments %q, want %q", comments, want)
		}
		for n := 1; n < second; n++ {
			if !seen[uint64(n)] {
				t.Errorf("second %d of %d is nowhere", n, second)
			}
		}
	})
}

// remarksIn are the comments of a file but for those on devices. Its samples
// are noted by the I/Os that the disk had done.
func remarksIn(t *testing.T, file string, seen map[uint64]bool) (comments []string) {
	t.Helper()
	r, err := sysstat.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for rec, err := r.Next(); err == nil; rec, err = r.Next() {
		switch {
		case rec.Type == sysstat.Stats:
			seen[rec.Disks(nil)[0].IOs-50] = true
		case rec.Type == sysstat.Restart:
			t.Errorf("%s has a restart", file)
		case !strings.HasPrefix(rec.Comment(), "dev "):
			comments = append(comments, rec.Comment())
		}
	}
	return comments
}
