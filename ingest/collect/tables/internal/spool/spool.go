package spool

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// A Sample is one, of a step.
type Sample struct {
	Step   int64
	Who    int32
	Time   int64
	Values []float64
}

func (s *Sample) compare(o *Sample) int {
	return cmp.Or(cmp.Compare(s.Step, o.Step), cmp.Compare(s.Who, o.Who), cmp.Compare(s.Time, o.Time))
}

// A Spool holds the samples of a file.
type Spool struct {
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

// New returns an empty spool that writes into a directory.
func New(dir string, metrics int) (*Spool, error) {
	s := &Spool{metrics: metrics, dir: dir}
	return s, s.open()
}

// open begins a temporary file. It is removed at once where the system lets
// one, so that nothing stays behind however the program ends.
func (s *Spool) open() error {
	f, err := os.CreateTemp(s.dir, "limpet-tables-*")
	if err != nil {
		return fmt.Errorf("samples that are not in order take temporary files: %w; set TMPDIR to another directory", err)
	}
	s.file, s.gone, s.size, s.runs = f, os.Remove(f.Name()) == nil, 0, nil
	return nil
}

// Close removes the file.
func (s *Spool) Close() error {
	err := s.file.Close()
	if !s.gone {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

// Add writes a run. The samples come in the order of the file, and are sorted
// in place.
func (s *Spool) Add(samples []Sample) error {
	slices.SortStableFunc(samples, func(a, b Sample) int { return a.compare(&b) })
	next := 0
	err := s.write(func(out *Sample) error {
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
func (s *Spool) mergeAll() error {
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
func (s *Spool) write(next func(*Sample) error) error {
	w := &writer{spool: s, run: run{from: s.size}}
	var held, sample Sample
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
func (s *Spool) fold(into []float64, later *Sample) {
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
func (s *Spool) Next(out *Sample) error {
	if s.merge == nil {
		s.merge = newMerge(s)
	}
	return s.merge.next(out)
}
