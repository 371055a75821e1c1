package engine_test

import (
	"runtime"
	"testing"

	"github.com/limpet-storage/limpet/engine"
)

// TestBounded: after 90 days an engine uses at most a tenth more memory than after one
// day, though faults come and go every day. An incident that comes back every day keeps
// the time of each return: 16 bytes a day.
func TestBounded(t *testing.T) {
	const day = 24 * 3600
	days := 90
	if testing.Short() {
		days = 10
	}
	w := newWorld(t, `
servers: fs[1-4]
arrays:
  - names: ddn1
    servers_per_array: 4
    luns: 0-23
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    devices: sd[b-y]
`, 61)
	r := w.tape(24,
		act{1 * hour, func(w *world) { w.slow["1.5"], w.stall["1.2"] = 6, 60_000 }},
		act{2 * hour, func(w *world) { delete(w.stall, "1.2"); w.silent["fs2"] = true }},
		act{4 * hour, func(w *world) { delete(w.silent, "fs2"); w.gone["fs3"] = true }},
		act{7 * hour, (*world).calm},
		act{12 * hour, func(w *world) { w.slow["1.7"], w.work["fs4"] = 8, true }},
		act{16 * hour, (*world).calm},
	)
	heard := &tally{}
	before := heap()
	e, err := engine.New(engine.DefaultOptions(), w.system, w.schema, nil, heard)
	if err != nil {
		t.Fatal(err)
	}
	first, events := 0, 0
	for d := range days {
		for _, row := range r.rows {
			e.Push(row)
			row.End += day
		}
		if d == 0 {
			first, events = heap()-before, heard.events
		}
	}
	last := heap() - before
	t.Logf("%d kB and %d events after a day, %d kB and %d events after %d", first/1000, events, last/1000, heard.events, days)
	if float64(last) > 1.1*float64(first) {
		t.Errorf("%d bytes after a day, %d after %d", first, last, days)
	}
	if events < 15 || heard.events < (days-1)*events {
		t.Errorf("%d events on the first day, and %d on %d: nothing happens", events, heard.events, days)
	}
	if len(incidents(e)) != 6 {
		t.Errorf("%s, want six problems", tell(incidents(e)))
	}
	runtime.KeepAlive(r)
}

// heap returns the number of bytes in use.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
