package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/history/segment"
)

// maxOpened is how many segments are remembered once their footer was read.
const maxOpened = 1024

// segment returns what a file on the disk holds. A file that cannot be read is a
// trouble.
func (s *Store) segment(e *entry) (*segment.Segment, error) {
	s.cache.Lock()
	have := s.opened[e.path]
	s.cache.Unlock()
	if have != nil {
		return have, nil
	}
	got, err := s.reader.Open(e.path)
	if err != nil {
		return nil, s.trouble(e, err)
	}
	s.cache.Lock()
	defer s.cache.Unlock()
	if len(s.opened) >= maxOpened {
		clear(s.opened)
	}
	s.opened[e.path] = got
	return got, nil
}

// trouble notes that a file cannot be read. One that is gone, and that the store
// has let go, was joined with others or has expired meanwhile.
func (s *Store) trouble(e *entry, err error) error {
	if errors.Is(err, fs.ErrNotExist) && !s.knows(e) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	s.cache.Lock()
	defer s.cache.Unlock()
	s.troubles[e.path] = fmt.Sprintf("%s cannot be read (%v): the history has a gap from %s", e.path, bare(err), spoken(Range{e.from, e.to}))
	return &damage{s.troubles[e.path]}
}

func (s *Store) knows(e *entry) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.ContainsFunc(s.tiers(), func(t *tier) bool { return slices.Contains(t.entries, e) })
}

// damage is an error of one file; the others answer.
type damage struct{ sentence string }

func (d *damage) Error() string { return d.sentence }

// read has a query read the files that it needs. Where the store has let one of
// them go meanwhile, the query begins anew.
func read(try func() error) error {
	for {
		if err := try(); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
}

// each hands the segments of files over. What cannot be read is added to the
// troubles.
func (s *Store) each(ctx context.Context, entries []*entry, troubles *[]string, do func(*segment.Segment) error) error {
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		part, err := s.segment(e)
		if err == nil {
			if err = do(part); err != nil {
				err = s.trouble(e, err)
			}
		}
		if d := (*damage)(nil); errors.As(err, &d) {
			*troubles = append(*troubles, d.sentence)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// Span says what is there.
func (s *Store) Span() Span {
	u := s.Usage()
	return Span{u[0].Range, u[1].Range, u[2].Range}
}

// Usage says what each tier takes: steps, quarters, windows.
func (s *Store) Usage() []Usage {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []Usage
	for i, t := range s.tiers() {
		waiting := Range{}
		if s.rows != nil {
			waiting = []*tail{s.rows, s.rows, s.verdicts}[i].span()
		}
		out = append(out, Usage{t.name, len(t.entries), t.bytes(), t.span().with(waiting)})
	}
	return out
}

// with is both ranges.
func (r Range) with(other Range) Range {
	switch (Range{}) {
	case r:
		return other
	case other:
		return r
	}
	return Range{min(r.From, other.From), max(r.To, other.To)}
}

// Troubles are sentences about files that could not be read, one for each.
func (s *Store) Troubles() []string {
	s.cache.Lock()
	defer s.cache.Unlock()
	return slices.Sorted(maps.Values(s.troubles))
}
