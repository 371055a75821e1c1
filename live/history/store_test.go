package history

import (
	"fmt"
	"testing"
)

// TestTwin compares the store with one that keeps everything in memory: random systems that change, rows
// with gaps, flushes and restarts at any time.
func TestTwin(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newTwin(t, seed, DefaultOptions())
			for range 900 {
				w.push(t)
				switch w.rng.IntN(200) {
				case 0:
					must(t, w.store.Flush())
				case 1:
					w.change(t)
				case 2:
					w.reopen(t)
				case 3:
					w.ask(t, 2, 0, w.now)
				}
			}
			w.ask(t, 30, 0, w.now)
			if trouble := w.store.Troubles(); len(trouble) > 0 {
				t.Error(trouble)
			}
		})
	}
}

// reopen closes the store and opens it again.
func (w *twin) reopen(t *testing.T) {
	must(t, w.store.Close())
	var err error
	w.store, err = Open(w.dir, w.opts)
	must(t, err)
	must(t, w.store.Begin(w.system, w.schema))
}

// TestTortureQuarters queries times of which only quarter hours are left.
func TestTortureQuarters(t *testing.T) {
	o := DefaultOptions()
	o.Steps.Days = 0.05
	for seed := range uint64(2) {
		w := newTwin(t, seed, o)
		for range 5760 + 1000 {
			if w.push(t); w.now%900 == 0 && w.rng.IntN(10) == 0 {
				must(t, w.store.Flush())
			}
		}
		must(t, w.store.Flush())
		span := w.store.Span()
		if span.Steps.From < w.now-3*3600 || span.Quarters.From > start+2*900 {
			t.Fatalf("%+v", span)
		}
		w.ask(t, 30, tortureQuarterSeconds, span.Steps.From-900)
	}
}
