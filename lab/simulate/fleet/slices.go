package fleet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// Slices writes the records of a fleet some days at a time, for fleets that are larger than the
// disk. The caller reads and removes some days before more are written.
type Slices struct {
	w   *writer
	dir string
}

// Slices creates dir and writes the inventory. Events and truth are not written; [Write] writes
// them.
func (f *Fleet) Slices(dir string) (*Slices, error) {
	if err := os.MkdirAll(filepath.Join(dir, RecordsDir), 0o755); err != nil {
		return nil, err
	}
	s := &Slices{&writer{fleet: f, path: func(name string) string { return filepath.Join(dir, name) }, formats: f.options.formats()}, dir}
	return s, s.w.inventory()
}

// Write writes the next days in parallel, at most the given number. It reports false if there were
// none.
func (s *Slices) Write(ctx context.Context, days int) (bool, error) {
	var writing sync.WaitGroup
	errs := make([]error, days)
	n := 0
	for ; n < days; n++ {
		d := newDay(len(s.w.fleet.drives))
		if !s.w.fleet.next(d) {
			break
		}
		at := n
		writing.Go(func() { errs[at] = s.w.day(ctx, d) })
	}
	writing.Wait()
	return n > 0, errors.Join(errs...)
}

// Remove removes the records that are written.
func (s *Slices) Remove() error {
	dir := filepath.Join(s.dir, RecordsDir)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Mkdir(dir, 0o755)
}
