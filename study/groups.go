// This file brings the slow hours of a reduced fleet together with the drives and groups
// that had them, and with the events of those drives: one group after the other, as an
// analysis needs them.
//
// A run is a number of consecutive hours in which a drive is slow; an hour without I/O, or
// left out for another reason, ends it, and so does the end of the records. The history of
// a drive is its history in one group.

package study

import (
	"cmp"
	"iter"
	"slices"
)

// A Group is a cell of the reduction with all that belongs to it.
type Group struct {
	*Cell
	Members []Member // by drive
	Tails   []Tail   // by hour
}

// A Member is a drive in the group.
type Member struct {
	Drive  int32
	Hours  int64      // at work
	Seats  []Seat     // by time
	Slow   []SlowHour // by hour, from Options.Kept on
	Events []Event    // by time
}

// Worked is how many hours the drive has been at work in the group by the end
// of a slow one.
func (m *Member) Worked(h SlowHour) int64 {
	n := h.Turn.Nth()
	for _, s := range m.Seats {
		if s.Last < h.Hour {
			n += s.Hours
		}
	}
	return n
}

// BySeat yields the seats, each with its slow hours.
func (m *Member) BySeat() iter.Seq2[Seat, []SlowHour] {
	return func(yield func(Seat, []SlowHour) bool) {
		slow := m.Slow
		for _, s := range m.Seats {
			mine := while(slow, func(h SlowHour) bool { return h.Hour <= s.Last })
			slow = slow[len(mine):]
			if !yield(s, mine) {
				return
			}
		}
	}
}

// A Tail is an hour of the group with slow drives, the slowest first.
type Tail struct {
	Hour int32
	Slow []SlowHour
}

// Reaches reports whether at least n drives are slow in the hour.
func (t Tail) Reaches(n int, threshold float64) bool {
	return len(t.Slow) >= n && t.Slow[n-1].S >= threshold
}

// slowCells are where those of a direction and kind stand, from the first to one
// past the last.
func slowCells(r *Reduction, d Direction, k Kind) (from, to int) {
	order := func(c *Cell) int { return cmp.Or(cmp.Compare(c.Direction, d), cmp.Compare(c.Kind, k)) }
	for from < len(r.Cells) && order(&r.Cells[from]) < 0 {
		from++
	}
	to = from
	for to < len(r.Cells) && order(&r.Cells[to]) == 0 {
		to++
	}
	return from, to
}

// Groups yields those of a direction and kind, with the events of their drives.
func Groups(r *Reduction, d Direction, k Kind, events []Event) iter.Seq[*Group] {
	return func(yield func(*Group) bool) {
		from, to := slowCells(r, d, k)
		seats := after(r.Seats, func(s Seat) bool { return int(s.Cell) >= from })
		slow := after(r.Slow, func(s SlowHour) bool { return int(s.Cell) >= from })
		log := newLog(seats, to, events)
		for i := from; i < to; i++ {
			g := &Group{Cell: &r.Cells[i]}
			mine := while(seats, func(s Seat) bool { return int(s.Cell) == i })
			late := while(slow, func(s SlowHour) bool { return int(s.Cell) == i })
			seats, slow = seats[len(mine):], slow[len(late):]
			g.seat(mine, late)
			g.Tails = tails(late)
			log.attach(g, int32(i))
			if !yield(g) {
				return
			}
		}
	}
}

// after are the rows from the first on that is reached.
func after[T any](rows []T, reached func(T) bool) []T {
	i, _ := slices.BinarySearchFunc(rows, true, func(row T, _ bool) int {
		if reached(row) {
			return 0
		}
		return -1
	})
	return rows[i:]
}

// while are the rows up to the first that does not belong.
func while[T any](rows []T, belongs func(T) bool) []T {
	n := 0
	for n < len(rows) && belongs(rows[n]) {
		n++
	}
	return rows[:n]
}

// seat makes the members.
func (g *Group) seat(seats []Seat, slow []SlowHour) {
	for len(seats) > 0 {
		drive := seats[0].Drive
		m := Member{Drive: drive}
		m.Seats = while(seats, func(s Seat) bool { return s.Drive == drive })
		m.Slow = while(slow, func(s SlowHour) bool { return s.Drive == drive })
		for _, s := range m.Seats {
			m.Hours += s.Hours
		}
		seats, slow = seats[len(m.Seats):], slow[len(m.Slow):]
		g.Members = append(g.Members, m)
	}
}

// tails brings slow hours into the order of time.
func tails(slow []SlowHour) []Tail {
	sorted := slices.Clone(slow)
	slices.SortFunc(sorted, func(a, b SlowHour) int {
		return cmp.Or(cmp.Compare(a.Hour, b.Hour), cmp.Compare(b.S, a.S), cmp.Compare(a.Drive, b.Drive))
	})
	var out []Tail
	for len(sorted) > 0 {
		hour := sorted[0].Hour
		t := Tail{hour, while(sorted, func(s SlowHour) bool { return s.Hour == hour })}
		out, sorted = append(out, t), sorted[len(t.Slow):]
	}
	return out
}
