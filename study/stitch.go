package study

import (
	"cmp"
	"fmt"
	"slices"
)

// stitch makes one span of each cell's, and counts the steps between them.
func (m *merger) stitch() error {
	for i := range m.out.Cells {
		c := &m.out.Cells[i]
		slices.SortFunc(c.Spans, func(a, b Span) int { return cmp.Compare(a.First.Hour, b.First.Hour) })
		s := m.out.spread(c.Direction, c.Kind)
		whole := &c.Spans[0]
		for _, next := range c.Spans[1:] {
			if next.First.Hour <= whole.Last.Hour {
				return fmt.Errorf("group %s: two streams have its records about %s; give each stream groups or a range of time of its own",
					m.fleet.Groups[c.Group], clock(next.First.Hour))
			}
			c.step(s, m.binner, m.out.Options.Thresholds, whole.Last, next.First)
			whole.Last = next.Last
		}
		c.Spans = c.Spans[:1]
	}
	return nil
}

// rows takes over seats and slow hours of a part, whose cells went where index
// says.
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

// adopt appends, and spares a copy of the first.
func adopt[T any](all, more []T) []T {
	if len(all) == 0 {
		return more
	}
	return append(all, more...)
}

// order sorts seats and slow hours, and joins what parts have of one seat.
func (m *merger) order() {
	slices.SortFunc(m.out.Slow, func(a, b SlowHour) int {
		return cmp.Or(cmp.Compare(key(a.Cell, a.Drive), key(b.Cell, b.Drive)), cmp.Compare(a.Hour, b.Hour))
	})
	slices.SortFunc(m.out.Seats, compareSeats)
	joined := m.out.Seats[:0]
	for _, s := range m.out.Seats {
		if n := len(joined); n > 0 && compareSeats(joined[n-1], s) == 0 {
			joined[n-1].merge(s)
		} else {
			joined = append(joined, s)
		}
	}
	m.out.Seats = joined
}

func compareSeats(a, b Seat) int {
	return cmp.Or(cmp.Compare(key(a.Cell, a.Drive), key(b.Cell, b.Drive)), cmp.Compare(a.Year, b.Year))
}

// key is two indices as one.
func key(cell, drive int32) uint64 { return uint64(cell)<<32 | uint64(drive) }

func (s *Seat) merge(other Seat) {
	s.First, s.Last = min(s.First, other.First), max(s.Last, other.Last)
	s.Hours += other.Hours
}
