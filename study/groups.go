// This file joins the slow hours of a reduced fleet with their drives and groups, and with the
// events of the drives. It yields one group after the other to the analyses.
//
// A run is a number of consecutive hours in which a drive is slow. An hour that is left out,
// for example without I/O, ends the run, and so does the end of the records. The history of a
// drive is its history in one group.

package study

import (
	"cmp"
	"iter"
	"slices"
)

// A Group is a cell of the reduction with its members and tails.
type Group struct {
	*Cell
	Members []Member // by drive
	Tails   []Tail   // by hour
}

// A Member is a drive in the group.
type Member struct {
	Drive  int32
	Hours  int64      // number of hours in which the drive was a member
	Seats  []Seat     // by time
	Slow   []SlowHour // by hour; slowdown at least Options.Kept
	Events []Event    // by time
}

// Worked returns the number of hours that the drive was a member of the group, up to and
// including the slow hour h.
func (m *Member) Worked(h SlowHour) int64 {
	n := h.Turn.Nth()
	for _, s := range m.Seats {
		if s.Last < h.Hour {
			n += s.Hours
		}
	}
	return n
}

// BySeat yields each seat with its slow hours.
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

// cellRange returns the range of the cells of a direction and kind: the index of the first,
// and one past the last.
func cellRange(r *Reduction, d Direction, k Kind) (from, to int) {
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

// Groups yields the groups of a direction and kind, with the events of their drives.
func Groups(r *Reduction, d Direction, k Kind, events []Event) iter.Seq[*Group] {
	return func(yield func(*Group) bool) {
		from, to := cellRange(r, d, k)
		seats := after(r.Seats, func(s Seat) bool { return int(s.Cell) >= from })
		slow := after(r.Slow, func(s SlowHour) bool { return int(s.Cell) >= from })
		log := newLog(seats, to, events)
		for i := from; i < to; i++ {
			g := &Group{Cell: &r.Cells[i]}
			mine := while(seats, func(s Seat) bool { return int(s.Cell) == i })
			late := while(slow, func(s SlowHour) bool { return int(s.Cell) == i })
			seats, slow = seats[len(mine):], slow[len(late):]
			g.addMembers(mine, late)
			g.Tails = tails(late)
			log.attach(g, int32(i))
			if !yield(g) {
				return
			}
		}
	}
}

// after returns the rows from the first row for which reached is true.
func after[T any](rows []T, reached func(T) bool) []T {
	i, _ := slices.BinarySearchFunc(rows, true, func(row T, _ bool) int {
		if reached(row) {
			return 0
		}
		return -1
	})
	return rows[i:]
}

// while returns the rows before the first row for which belongs is false.
func while[T any](rows []T, belongs func(T) bool) []T {
	n := 0
	for n < len(rows) && belongs(rows[n]) {
		n++
	}
	return rows[:n]
}

// addMembers builds the members of the group from their seats and slow hours.
func (g *Group) addMembers(seats []Seat, slow []SlowHour) {
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

// tails sorts slow hours by time, and returns a Tail for each hour.
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
