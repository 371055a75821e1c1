// This file sorts the samples of a file by step on disk, where they are
// more than memory should hold.
//
// Samples come in the order of the file. As many as fit are sorted into a run,
// runs are written to a temporary file one after the other, and all are merged
// as they are read back. Samples of one component and time are one: of two
// values of a metric the later line's counts, and the first is counted as
// measured twice. They are folded within a run and again as runs are merged,
// so that a file of equal lines takes no room at all.
//
// It stands below collect/tables, which says what the step of a sample is.

package tables

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// A sample is one, of a step.
type sample struct {
	Step   int64
	Who    int32
	Time   int64
	Values []float64
}

func (s *sample) compare(o *sample) int {
	return cmp.Or(cmp.Compare(s.Step, o.Step), cmp.Compare(s.Who, o.Who), cmp.Compare(s.Time, o.Time))
}

// A stepSorter holds the samples of a file.
type stepSorter struct {
	metrics int
	dir     string
	file    *os.File
	gone    bool // the file is removed
	size    int64
	runs    []run
	merge   *merge

	// Twice counts values that were measured twice; First is of whom.
	Twice int
	First int32
}

// fanIn is how many runs are merged at once: more are merged into one first.
const fanIn = 64

// newStepSorter returns an empty spool that writes into a directory.
func newStepSorter(dir string, metrics int) (*stepSorter, error) {
	s := &stepSorter{metrics: metrics, dir: dir}
	return s, s.open()
}

// open begins a temporary file. It is removed at once where the system lets
// one, so that nothing stays behind however the program ends.
func (s *stepSorter) open() error {
	f, err := os.CreateTemp(s.dir, "limpet-tables-*")
	if err != nil {
		return fmt.Errorf("samples that are not in order take temporary files: %w; set TMPDIR to another directory", err)
	}
	s.file, s.gone, s.size, s.runs = f, os.Remove(f.Name()) == nil, 0, nil
	return nil
}

// Close removes the file.
func (s *stepSorter) Close() error {
	err := s.file.Close()
	if !s.gone {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

// Add writes a run. The samples come in the order of the file, and are sorted
// in place.
func (s *stepSorter) Add(samples []sample) error {
	slices.SortStableFunc(samples, func(a, b sample) int { return a.compare(&b) })
	next := 0
	err := s.write(func(out *sample) error {
		if next == len(samples) {
			return io.EOF
		}
		*out = samples[next]
		next++
		return nil
	})
	if err != nil || len(s.runs) < fanIn {
		return err
	}
	return s.mergeAll()
}

// mergeAll makes one run of all.
func (s *stepSorter) mergeAll() error {
	old := *s
	m := newMerge(&old)
	if err := s.open(); err != nil {
		return err
	}
	s.Twice = 0
	err := s.write(m.next) // finds nothing more to fold, as the merge has done so
	s.Twice, s.First = old.Twice, old.First
	return errors.Join(err, old.Close())
}

// write writes a run of sorted samples, those of one component and time folded.
func (s *stepSorter) write(next func(*sample) error) error {
	w := &writer{spool: s, run: run{from: s.size}}
	var held, sample sample
	for {
		err := next(&sample)
		if err != nil && err != io.EOF {
			return err
		}
		switch {
		case err == nil && held.Values != nil && held.compare(&sample) == 0:
			s.fold(held.Values, &sample)
			continue
		case held.Values != nil:
			if err := w.add(&held); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return w.end()
		}
		values := held.Values[:0]
		held = sample
		values = append(values, sample.Values...)
		held.Values = values
	}
}

// fold puts the values of a later sample into those of an earlier one.
func (s *stepSorter) fold(into []float64, later *sample) {
	for m, v := range later.Values {
		if math.IsNaN(v) {
			continue
		}
		if !math.IsNaN(into[m]) {
			if s.Twice == 0 {
				s.First = later.Who
			}
			s.Twice++
		}
		into[m] = v
	}
}

// Next reads the next sample in the order of steps, or returns io.EOF. Its
// values are valid until the next call. Nothing may be added any more.
func (s *stepSorter) Next(out *sample) error {
	if s.merge == nil {
		s.merge = newMerge(s)
	}
	return s.merge.next(out)
}
