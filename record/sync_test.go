package record

import (
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestSync: the file is synced every so often, and samples are taken while a
// disk hangs.
func TestSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		var synced atomic.Int64
		h.prepare = func(r *Recorder) {
			r.syncData = func(f *os.File) error {
				if synced.Add(1) == 3 {
					time.Sleep(5 * time.Minute)
				}
				return syncData(f)
			}
		}
		h.record(10 * time.Minute)
		// Two ahead of the hang, and those of the last four and a half minutes.
		if n := synced.Load(); n < 27 || n > 31 {
			t.Errorf("synced %d times", n)
		}
		if got := h.read("fs1-20260301T120000Z.sa"); len(got.times) < 599 || len(got.comments) != 1 {
			t.Errorf("%d samples, comments %q", len(got.times), got.comments)
		}
	})
}

// TestSyncOften: no more is at risk than was agreed, though samples are some
// milliseconds early or late, and though the interval does not fit.
func TestSyncOften(t *testing.T) {
	const sync = 10 * time.Second
	for _, interval := range []time.Duration{time.Second, 3 * time.Second, 4 * time.Second, 6 * time.Second, 10 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			h := newHost(t, at("2026-03-01 12:00:00"))
			h.opts.Interval, h.opts.Sync = interval, sync
			var times []time.Time
			h.prepare = func(r *Recorder) {
				r.syncData = func(*os.File) error { times = append(times, time.Now()); return nil }
			}
			h.run(func() {
				for i := range 100 { // a clock that runs unevenly
					time.Sleep(3 * time.Second)
					h.clock.step(time.Duration(30-60*(i%2)) * time.Millisecond)
				}
			})
			for i := 1; i < len(times); i++ {
				if d := times[i].Sub(times[i-1]); d > sync+interval/lateDivisor || d < sync-interval-interval/lateDivisor {
					t.Errorf("at an interval of %v a sync comes %v after another", interval, d)
				}
			}
			if len(times) < 25 {
				t.Errorf("at an interval of %v only %d syncs", interval, len(times))
			}
		})
	}
}

// TestSyncBeside: no sample waits for the disk when a file is begun, and its
// name is on the disk with the first sync.
func TestSyncBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 23:59:00"))
		var dirs atomic.Int64
		h.prepare = func(r *Recorder) {
			r.syncData = func(*os.File) error { time.Sleep(4 * time.Second); return nil }
			r.syncDir = func(string) error { dirs.Add(1); time.Sleep(4 * time.Second); return nil }
		}
		h.run(func() {
			time.Sleep(2500 * time.Millisecond)
			if dirs.Load() > 0 {
				t.Error("the name was synced ahead of the file")
			}
			time.Sleep(2 * time.Minute)
			if n := dirs.Load(); n != 2 {
				t.Errorf("names were synced %d times, want 2", n)
			}
		})
		for _, name := range h.names() {
			if got := h.read(name); len(got.comments) != 1 {
				t.Errorf("%s: %q", name, got.comments)
			}
		}
		checkJoined(t, h, at("2026-03-01 23:59:01").Unix(), 122)
	})
}
