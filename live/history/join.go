package history

import (
	"context"
	"slices"

	"github.com/limpet-storage/limpet/live/history/segment"
)

const daySeconds = 86400

// joinDays joins the segments (files) of each past day into one segment, so that a year has
// hundreds of files instead of thousands.
func (s *Store) joinDays(t *fileTier) {
	today := (t.End() - 1) / daySeconds
	for _, day := range daysOf(t.Entries, today) {
		s.join(t, day)
	}
}

// daysOf returns the segments of past days, in one group for each day. It leaves out days with a
// single segment.
func daysOf(entries []*entry, today int64) [][]*entry {
	var out [][]*entry
	last := int64(-1)
	for _, e := range entries {
		day := (e.From - 1) / daySeconds
		if day != (e.To-1)/daySeconds || day >= today {
			continue
		}
		if day != last {
			out, last = append(out, nil), day
		}
		out[len(out)-1] = append(out[len(out)-1], e)
	}
	return slices.DeleteFunc(out, func(day []*entry) bool { return len(day) < 2 })
}

// join joins consecutive segments (files) of a day if they have the same components, and if their
// values cover the same length of time. It does not change a segment that cannot be read.
func (s *Store) join(t *fileTier, day []*entry) {
	var parts []*segment.Segment
	var joined []*entry
	finish := func() {
		if len(parts) > 1 && s.joinParts(t, parts) == nil {
			s.remove(t, joined)
		}
		parts, joined = nil, nil
	}
	for _, e := range day {
		part, err := s.segment(e)
		if err != nil {
			finish()
			continue
		}
		if len(parts) > 0 && (part.Layout.Hash() != parts[0].Layout.Hash() || part.Seconds != parts[0].Seconds) {
			finish()
		}
		parts, joined = append(parts, part), append(joined, e)
	}
	finish()
}

// joinParts writes several segments as one segment. It reads one column at a time.
func (s *Store) joinParts(t *fileTier, parts []*segment.Segment) error {
	h := segment.Head{Layout: parts[0].Layout, Seconds: parts[0].Seconds}
	for _, p := range parts {
		h.Times = append(h.Times, p.Times...)
		for _, c := range p.Columns {
			if !slices.Contains(h.Columns, c) {
				h.Columns = append(h.Columns, c)
			}
		}
	}
	return s.place(t, h, func(column int) (segment.Fill, error) { return fillFrom(parts, h, column) })
}

// fillFrom reads a column of several segments. It returns the function that fills the pages of this
// column in the joined segment.
func fillFrom(parts []*segment.Segment, h segment.Head, column int) (segment.Fill, error) {
	codes := make([][]segment.Code, len(parts))
	for i, p := range parts {
		var err error
		if codes[i], err = p.Range(context.Background(), h.Columns[column], 0, len(h.Layout.Components)); err != nil {
			return nil, err
		}
	}
	return func(page *segment.Page) (segment.Code, bool) {
		to := 0
		for c := page.Place; c < page.Place+page.N; c++ {
			for i, p := range parts {
				for _, code := range codes[i][c*len(p.Times) : (c+1)*len(p.Times)] {
					page.Put(to, code)
					to++
				}
			}
		}
		return 0, false
	}, nil
}
