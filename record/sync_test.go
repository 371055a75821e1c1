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

// TestRemoved: where someone removes the file, another is begun.
func TestRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		h.run(func() {
			time.Sleep(30 * time.Second)
			if err := os.Remove(h.opts.Dir + "/fs1-20260301T120000Z.sa"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(60500 * time.Millisecond)
		})
		h.wantNames("fs1-20260301T120101Z.sa")
		if got := h.read("fs1-20260301T120101Z.sa"); len(got.times) != 30 || len(got.comments) != 1 {
			t.Errorf("%d samples, comments %q", len(got.times), got.comments)
		}
	})
}

// TestTwoRecorders: the second is refused, and the first not disturbed.
func TestTwoRecorders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		h.run(func() {
			time.Sleep(10 * time.Second)
			second, err := New(h.opts, &fakeMachine{clock: h.clock})
			if err != nil {
				t.Fatal(err)
			}
			if err := second.Run(t.Context()); err == nil {
				t.Error("a second recorder runs")
			}
			time.Sleep(10500 * time.Millisecond)
		})
		if got := h.read("fs1-20260301T120000Z.sa"); len(got.times) != 20 {
			t.Errorf("%d samples", len(got.times))
		}
	})
}
