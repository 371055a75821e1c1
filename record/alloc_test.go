package record

import (
	"testing"
	"time"
)

// steady is a recorder of 72 disks past its first samples.
func steady(t testing.TB) (*Recorder, *fakeClock) {
	t.Helper()
	clock := newClock(at("2026-03-01 12:00:00"))
	o := DefaultOptions()
	o.Dir, o.File.Hostname, o.Clock, o.Sync = t.TempDir(), "fs1", clock, time.Hour
	r, err := New(o, &fakeMachine{clock: clock, booted: -time.Hour, disks: 72})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.out.close() })
	r.tick(look(clock))
	return r, clock
}

// TestAllocs: a tick allocates nothing of its own.
func TestAllocs(t *testing.T) {
	r, clock := steady(t)
	tk := newTicker(clock, time.Millisecond)
	n := testing.AllocsPerRun(100, func() {
		now, err := tk.wait(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r.tick(now.moment)
	})
	if n > 0 {
		t.Errorf("%v allocations a tick", n)
	}
	if r.out.Size() < 100*72*80 {
		t.Errorf("only %d bytes were written", r.out.Size())
	}
}

func BenchmarkTick(b *testing.B) {
	r, clock := steady(b)
	b.ReportAllocs()
	for b.Loop() {
		r.tick(look(clock))
	}
	b.SetBytes(r.out.Size() / int64(b.N))
}
