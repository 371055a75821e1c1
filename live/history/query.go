package history

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/live/history/segment"
)

// maxOpened is the largest number of segments (files) whose footers are kept in memory.
const maxOpened = 1024

// segment returns the segment in a file. If the file cannot be read, segment adds a sentence to the
// troubles of the store.
func (s *Store) segment(e *entry) (*segment.Segment, error) {
	s.cache.Lock()
	have := s.opened[e.Path]
	s.cache.Unlock()
	if have != nil {
		return have, nil
	}
	got, err := s.reader.Open(e.Path)
	if err == nil {
		err = e.checkTimes(got)
	}
	if err != nil {
		return nil, s.addTrouble(e, err)
	}
	s.cache.Lock()
	defer s.cache.Unlock()
	if len(s.opened) >= maxOpened {
		clear(s.opened)
	}
	s.opened[e.Path] = got
	delete(s.troubles, e.Path) // the file can be read again: a complete copy has replaced it
	return got, nil
}

// addTrouble handles the error of a file that cannot be read. It adds a sentence about the file to
// the troubles of the store, and returns a damage error. In two cases the file is not damaged, and
// addTrouble only returns the given error: the context has ended, or the store itself has removed
// the file. The store removes a file after it has joined the file with others, when the file is too
// old, and when the tier is too large.
func (s *Store) addTrouble(e *entry, err error) error {
	if errors.Is(err, fs.ErrNotExist) && !s.hasFile(e) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	s.cache.Lock()
	defer s.cache.Unlock()
	s.troubles[e.Path] = gapSentence(e.Path, err, Range{From: e.From, To: e.To})
	return &damage{s.troubles[e.Path]}
}

func (s *Store) hasFile(e *entry) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.ContainsFunc(s.tiers(), func(t *fileTier) bool { return slices.Contains(t.Entries, e) })
}

// damage is the error that is returned if a file cannot be read. A query then continues with the
// other files.
type damage struct{ sentence string }

func (d *damage) Error() string { return d.sentence }

// read runs a query. If the store has removed a file that the query needs, read starts the query
// again.
func read(try func() error) error {
	for {
		if err := try(); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
}

// forEachSegment calls do(segment) for each file. If a file cannot be read, it adds a sentence to
// the given list of troubles, and continues with the next file.
func (s *Store) forEachSegment(ctx context.Context, entries []*entry, troubles *[]string, do func(*segment.Segment) error) error {
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		part, err := s.segment(e)
		if err == nil {
			if err = do(part); err != nil {
				err = s.addTrouble(e, err)
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

// Span returns the time range of each tier.
func (s *Store) Span() Span {
	u := s.Usage()
	return Span{u[0].Range, u[1].Range, u[2].Range}
}

// Usage returns the disk space of each tier, in the order steps, quarters, windows.
func (s *Store) Usage() []Usage {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []Usage
	for i, t := range s.tiers() {
		span := t.Span()
		if s.rows != nil {
			from, to := []*rows{s.rows, s.rows, s.verdicts}[i].Span()
			span = span.Union(Range{From: from, To: to})
		}
		out = append(out, Usage{t.Name, len(t.Entries), t.Bytes(), span})
	}
	return out
}

// Written returns the end of the last step on disk, in Unix time. It returns 0 if no step is on disk.
func (s *Store) Written() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.steps.End()
}

// Troubles returns sentences about files that could not be read, one for each file.
func (s *Store) Troubles() []string {
	s.cache.Lock()
	defer s.cache.Unlock()
	return slices.Sorted(maps.Values(s.troubles))
}
