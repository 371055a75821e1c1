package waiting

import (
	"encoding/binary"

	"github.com/limpet-storage/limpet/history/segment"
)

// Rows is what is not on the disk yet.
type Rows struct {
	Layout  *segment.Layout
	Order   []int // by place of the layout: which component
	Columns []string
	Seconds int64 // that a row covers
	Times   []int64
	Rows    [][]segment.Code // by time: column by column, and of each by component
	spare   [][]segment.Code
	Seen    []segment.Code // as a row: 0 where all rows are zero; nil where nobody has looked
}

// New returns no rows yet, of columns and components that stand in an order.
func New(l *segment.Layout, order []int, columns []string, seconds int64) *Rows {
	return &Rows{Layout: l, Order: order, Columns: columns, Seconds: seconds}
}

// Add begins a row, whatever it holds.
func (t *Rows) Add(time int64) []segment.Code {
	var row []segment.Code
	if n := len(t.spare); n > 0 {
		row, t.spare = t.spare[n-1], t.spare[:n-1]
	} else {
		row = make([]segment.Code, len(t.Columns)*len(t.Order))
	}
	t.Times, t.Rows = append(t.Times, time), append(t.Rows, row)
	return row
}

// Drop forgets all rows.
func (t *Rows) Drop() {
	t.spare = append(t.spare, t.Rows...)
	t.Times, t.Rows = nil, nil
	clear(t.Seen)
}

// Bytes is what the rows take.
func (t *Rows) Bytes() int64 { return int64(len(t.Rows)) * int64(len(t.Columns)*len(t.Order)) * 2 }

// Span is from the first row to the last; 0 where there is none.
func (t *Rows) Span() (from, to int64) {
	if len(t.Times) == 0 {
		return 0, 0
	}
	return t.Times[0], t.Times[len(t.Times)-1]
}

// Column is that of a name; -1 where it is not there.
func (t *Rows) Column(name string) int {
	for i, c := range t.Columns {
		if c == name {
			return i
		}
	}
	return -1
}

// After is the rows after a time.
func (t *Rows) After(time int64) *Rows {
	n := 0
	for n < len(t.Times) && t.Times[n] <= time {
		n++
	}
	part := *t
	part.Times, part.Rows = t.Times[n:], t.Rows[n:]
	return &part
}

// Fill turns rows to components, for a column. Components that did nothing, as most
// paths to a LUN do, are not looked at.
func (t *Rows) Fill(column int) segment.Fill {
	var busy []int // those of a page, by their place in it
	return func(p *segment.Page) bool {
		members := t.Order[p.Place : p.Place+p.N]
		if busy = t.busy(column, members, busy[:0]); len(busy) == 0 {
			return true
		}
		if len(busy) < p.N {
			clear(p.Low)
			clear(p.High)
		}
		at := 0
		for ; at+8 <= len(t.Rows); at += 8 {
			t.turnEight(p, column, at, members, busy)
		}
		for ; at < len(t.Rows); at++ {
			row := t.part(at, column)
			for _, i := range busy {
				p.Put(i*len(t.Times)+at, row[members[i]])
			}
		}
		return false
	}
}

// part is a column of a row.
func (t *Rows) part(at, column int) []segment.Code {
	return t.Rows[at][column*len(t.Order):][:len(t.Order)]
}

// turnEight turns eight rows at once, which is most of the work of a store.
func (t *Rows) turnEight(p *segment.Page, column, at int, members, busy []int) {
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
		to := i*len(t.Times) + at
		binary.LittleEndian.PutUint64(p.Low[to:], low)
		binary.LittleEndian.PutUint64(p.High[to:], high)
	}
}

// Look finds out which components have a value other than zero.
func (t *Rows) Look() {
	t.Seen = make([]segment.Code, len(t.Columns)*len(t.Order))
	for _, row := range t.Rows {
		for i, c := range row {
			t.Seen[i] |= c
		}
	}
}

// busy lists the components among some that have a value other than zero.
func (t *Rows) busy(column int, members, to []int) []int {
	for i, c := range members {
		if t.Seen[column*len(t.Order)+c] != 0 {
			to = append(to, i)
		}
	}
	return to
}

// Codes returns a column of the components from one place to before another, all
// times of each together.
func (t *Rows) Codes(column, first, last int) []segment.Code {
	out := make([]segment.Code, (last-first)*len(t.Times))
	for at, row := range t.Rows {
		row = row[column*len(t.Order):]
		for i, c := range t.Order[first:last] {
			out[i*len(t.Times)+at] = row[c]
		}
	}
	return out
}

// FullColumns are those that hold anything.
func (t *Rows) FullColumns() []int {
	var out []int
	for column := range t.Columns {
		if t.full(column) {
			out = append(out, column)
		}
	}
	return out
}

func (t *Rows) full(column int) bool {
	for _, row := range t.Rows {
		for _, c := range row[column*len(t.Order):][:len(t.Order)] {
			if c != segment.Missing {
				return true
			}
		}
	}
	return false
}
