package fleet

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// A writer writes several days in parallel.
type writer struct {
	fleet    *Fleet
	path     func(name string) string // path of a file, without its format
	formats  []Format
	free     chan *day // days that can be used again
	busy     sync.WaitGroup
	progress func(done, total int64)

	mu   sync.Mutex // guards the fields below
	done int64
	err  error
}

// write writes all files except the truth.
func (f *Fleet) write(ctx context.Context, s *simulate.Stage, progress func(done, total int64)) error {
	w := &writer{fleet: f, path: s.Path, formats: f.options.formats(), progress: progress}
	if err := w.inventory(); err != nil {
		return err
	}
	inFlight := min(runtime.GOMAXPROCS(0)+1, f.options.Days)
	w.free = make(chan *day, inFlight)
	for range inFlight {
		w.free <- newDay(len(f.drives))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := w.days(ctx, cancel)
	w.busy.Wait()
	if w.err != nil {
		return w.err
	}
	return err
}

func (w *writer) inventory() error {
	t, err := create[inventoryRow](w.path(InventoryFile), w.formats)
	if err != nil {
		return err
	}
	var rows []inventoryRow
	for i := range w.fleet.drives {
		rows = append(rows, newInventoryRow(&w.fleet.drives[i]))
	}
	return errors.Join(t.Write(rows), t.Close())
}

// days draws one day after another, and starts writing each of them.
func (w *writer) days(ctx context.Context, cancel func()) error {
	events, err := create[eventRow](w.path(EventsFile), w.formats)
	if err != nil {
		return err
	}
	for d := range w.free {
		if err = ctx.Err(); err != nil || !w.fleet.next(d) {
			break
		}
		if err = w.events(events, d); err != nil {
			break
		}
		w.busy.Go(func() {
			if w.finished(d, w.day(ctx, d)) != nil {
				cancel()
			}
			w.free <- d
		})
	}
	return errors.Join(err, events.Close())
}

func (w *writer) events(t tables[eventRow], d *day) error {
	var rows []eventRow
	for _, e := range d.events {
		rows = append(rows, eventRow{e.Time.UnixMilli(), w.fleet.drives[e.Drive].Name, string(e.What)})
	}
	return t.Write(rows)
}

// finished counts a day as written, or keeps the first error.
func (w *writer) finished(d *day, err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		if w.err == nil {
			w.err = err
		}
		return err
	}
	w.done += int64(len(d.ios))
	if w.progress != nil {
		w.progress(w.done, int64(len(d.ios)*w.fleet.options.Days))
	}
	return nil
}

// batch is the number of rows that are written at a time.
const batch = 4096

// day writes the records of a day.
func (w *writer) day(ctx context.Context, d *day) (err error) {
	t, err := create[recordRow](w.path(recordsName(d.start)), w.formats)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	rows := make([]recordRow, 0, batch)
	for h := range hoursPerDay {
		if rows, err = w.hour(ctx, t, rows, d.hour(h)); err != nil {
			return err
		}
	}
	return t.Write(rows)
}

// hour writes the records of an hour, except for absent drives, and returns the rows that are not
// written yet.
func (w *writer) hour(ctx context.Context, t tables[recordRow], rows []recordRow, h *Hour) ([]recordRow, error) {
	for i, ios := range h.IOs {
		if ios == Absent {
			continue
		}
		rows = append(rows, newRecordRow(h, i, &w.fleet.drives[i]))
		if len(rows) < batch {
			continue
		}
		if err := errors.Join(ctx.Err(), t.Write(rows)); err != nil {
			return nil, err
		}
		rows = rows[:0]
	}
	return rows, nil
}
