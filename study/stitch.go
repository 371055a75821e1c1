package study

import (
	"cmp"
	"fmt"
	"slices"
)

// stitch joins the spans of each cell into one span, and counts the steps between the spans.
func (m *merger) stitch() error {
	for i := range m.out.Cells {
		c := &m.out.Cells[i]
		slices.SortFunc(c.Spans, func(a, b Span) int { return cmp.Compare(a.First.Hour, b.First.Hour) })
		s := m.out.spread(c.Direction, c.Kind)
		whole := &c.Spans[0]
		for _, next := range c.Spans[1:] {
			if next.First.Hour <= whole.Last.Hour {
				return fmt.Errorf("internal error: group %s: two streams of records overlap at about %s; each stream needs its own groups or its own range of time",
					m.fleet.Groups[c.Group], clock(next.First.Hour))
			}
			c.step(s, m.binner, m.out.Options.Thresholds, whole.Last, next.First)
			whole.Last = next.Last
		}
		c.Spans = c.Spans[:1]
	}
	return nil
}

// rows adds the seats and slow hours of a part. index maps the part's cells to the merged cells.
func (m *merger) rows(p *Reduction, index []int32) {
	for i := range p.Seats {
		p.Seats[i].Cell = index[p.Seats[i].Cell]
	}
	for i := range p.Slow {
		p.Slow[i].Cell = index[p.Slow[i].Cell]
	}
	m.out.Seats = adopt(m.out.Seats, p.Seats)
	m.out.Slow = adopt(m.out.Slow, p.Slow)
}

// adopt appends more to all. If all is empty, it returns more itself, without a copy.
func adopt[T any](all, more []T) []T {
	if len(all) == 0 {
		return more
	}
	return append(all, more...)
}

// order sorts seats and slow hours, and joins seats that are parts of one seat.
func (m *merger) order() {
	slices.SortFunc(m.out.Slow, func(a, b SlowHour) int {
		return cmp.Or(cmp.Compare(key(a.Cell, a.Drive), key(b.Cell, b.Drive)), cmp.Compare(a.Hour, b.Hour))
	})
	slices.SortFunc(m.out.Seats, func(a, b Seat) int {
		return cmp.Or(cmp.Compare(key(a.Cell, a.Drive), key(b.Cell, b.Drive)), cmp.Compare(a.First, b.First))
	})
	m.join()
}

// key returns a sort key: by cell, then by drive.
func key(cell, drive int32) uint64 { return uint64(cell)<<32 | uint64(drive) }

// join joins seats that continue each other, and continues the numbers of the slow hours (Turn)
// in the later seat.
func (m *merger) join() {
	slow, at := m.out.Slow, 0
	joined := m.out.Seats[:0]
	for _, s := range m.out.Seats {
		if at > 0 && slow[at-1].isBefore(s) {
			slow[at-1].Turn |= goesOnBit
		}
		hours := int64(0) // of the joined seat before s
		if n := len(joined); n > 0 && joined[n-1].goesOn(s) {
			hours = joined[n-1].Hours
			joined[n-1].Last, joined[n-1].Hours = s.Last, hours+s.Hours
		} else {
			joined = append(joined, s)
		}
		for ; at < len(slow) && slow[at].isIn(s); at++ {
			slow[at].Turn = slow[at].Turn.after(hours)
		}
	}
	m.out.Seats = joined
}

// isBefore reports whether the drive's seat begins in the hour after h.
func (h *SlowHour) isBefore(s Seat) bool {
	return h.Cell == s.Cell && h.Drive == s.Drive && h.Hour+1 == s.First
}

// isIn reports whether an hour belongs to the seat. The hour must not be before the seat.
func (h *SlowHour) isIn(s Seat) bool {
	return h.Cell == s.Cell && h.Drive == s.Drive && h.Hour <= s.Last
}

// goesOn reports whether the next seat continues this seat.
func (s *Seat) goesOn(next Seat) bool {
	return s.Cell == next.Cell && s.Drive == next.Drive && s.Year == next.Year && next.First-s.Last <= AwayHours
}
