package history

import (
	"encoding/binary"

	"github.com/limpet-storage/limpet/history/segment"
)

// tail is the rows that are not on the disk yet.
type tail struct {
	layout  *segment.Layout
	order   []int // by place of the layout: which component
	columns []string
	seconds int64 // that a row covers
	times   []int64
	rows    [][]segment.Code // by time: column by column, and of each by component
	spare   [][]segment.Code
	seen    []segment.Code // as a row: 0 where all rows are zero; nil where nobody has looked
}

func newTail(l *segment.Layout, order []int, columns []string, seconds int64) *tail {
	return &tail{layout: l, order: order, columns: columns, seconds: seconds}
}

// add begins a row, whatever it holds.
func (t *tail) add(time int64) []segment.Code {
	var row []segment.Code
	if n := len(t.spare); n > 0 {
		row, t.spare = t.spare[n-1], t.spare[:n-1]
	} else {
		row = make([]segment.Code, len(t.columns)*len(t.order))
	}
	t.times, t.rows = append(t.times, time), append(t.rows, row)
	return row
}

// drop forgets all rows.
func (t *tail) drop() {
	t.spare = append(t.spare, t.rows...)
	t.times, t.rows = nil, nil
	clear(t.seen)
}

func (t *tail) bytes() int64 { return int64(len(t.rows)) * int64(len(t.columns)*len(t.order)) * 2 }

func (t *tail) span() Range {
	if len(t.times) == 0 {
		return Range{}
	}
	return Range{t.times[0], t.times[len(t.times)-1]}
}

// column is that of a name; -1 where it is not there.
func (t *tail) column(name string) int {
	for i, c := range t.columns {
		if c == name {
			return i
		}
	}
	return -1
}

// after is the rows after a time.
func (t *tail) after(time int64) *tail {
	n := 0
	for n < len(t.times) && t.times[n] <= time {
		n++
	}
	part := *t
	part.times, part.rows = t.times[n:], t.rows[n:]
	return &part
}

// fill turns rows to components, for a column. Components that did nothing, as most
// paths to a LUN do, are not looked at.
func (t *tail) fill(column int) segment.Fill {
	var busy []int // those of a page, by their place in it
	return func(p *segment.Page) bool {
		members := t.order[p.Place : p.Place+p.N]
		if busy = t.busy(column, members, busy[:0]); len(busy) == 0 {
			return true
		}
		if len(busy) < p.N {
			clear(p.Low)
			clear(p.High)
		}
		at := 0
		for ; at+8 <= len(t.rows); at += 8 {
			t.turnEight(p, column, at, members, busy)
		}
		for ; at < len(t.rows); at++ {
			row := t.part(at, column)
			for _, i := range busy {
				p.Put(i*len(t.times)+at, row[members[i]])
			}
		}
		return false
	}
}

// part is a column of a row.
func (t *tail) part(at, column int) []segment.Code {
	return t.rows[at][column*len(t.order):][:len(t.order)]
}

// turnEight turns eight rows at once, which is most of the work of a store.
func (t *tail) turnEight(p *segment.Page, column, at int, members, busy []int) {
	var rows [8][]segment.Code
	for i := range rows {
		rows[i] = t.part(at+i, column)
	}
	for _, i := range busy {
		c := members[i]
		var low, high uint64
		for r := range rows {
			code := uint64(rows[r][c])
			low, high = low>>8|code<<56, high>>8|code>>8<<56
		}
		to := i*len(t.times) + at
		binary.LittleEndian.PutUint64(p.Low[to:], low)
		binary.LittleEndian.PutUint64(p.High[to:], high)
	}
}

// look finds out which components have a value other than zero.
func (t *tail) look() {
	t.seen = make([]segment.Code, len(t.columns)*len(t.order))
	for _, row := range t.rows {
		for i, c := range row {
			t.seen[i] |= c
		}
	}
}

// busy lists the components among some that have a value other than zero.
func (t *tail) busy(column int, members, to []int) []int {
	for i, c := range members {
		if t.seen[column*len(t.order)+c] != 0 {
			to = append(to, i)
		}
	}
	return to
}

// codes returns a column of the components from one place to before another, all
// times of each together.
func (t *tail) codes(column, first, last int) []segment.Code {
	out := make([]segment.Code, (last-first)*len(t.times))
	for at, row := range t.rows {
		row = row[column*len(t.order):]
		for i, c := range t.order[first:last] {
			out[i*len(t.times)+at] = row[c]
		}
	}
	return out
}

// fullColumns are those that hold anything.
func (t *tail) fullColumns() []int {
	var out []int
	for column := range t.columns {
		if t.full(column) {
			out = append(out, column)
		}
	}
	return out
}

func (t *tail) full(column int) bool {
	for _, row := range t.rows {
		for _, c := range row[column*len(t.order):][:len(t.order)] {
			if c != segment.Missing {
				return true
			}
		}
	}
	return false
}
