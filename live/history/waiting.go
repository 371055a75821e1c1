// This file is rows that wait in memory until they are written as a segment,
// and the quarter hours that are made of them. It turns rows, which come time by
// time, into pages, which hold component by component.

package history

import (
	"encoding/binary"

	"github.com/limpet-storage/limpet/live/history/segment"
)

// rows is what is not on the disk yet.
type rows struct {
	Layout  *segment.Layout
	Columns []string
	Seconds int64 // that a row covers
	Times   []int64
	Rows    [][]segment.Code // by time: column by column, and of each as the layout has it
	spare   [][]segment.Code
	Seen    []segment.Seen // as a row: what all rows hold; nil where nobody has looked
}

// newWaiting returns no rows yet.
func newWaiting(l *segment.Layout, columns []string, seconds int64) *rows {
	return &rows{Layout: l, Columns: columns, Seconds: seconds}
}

// width is how many components there are.
func (t *rows) width() int { return len(t.Layout.Components) }

// Add begins a row, whatever it holds.
func (t *rows) Add(time int64) []segment.Code {
	var row []segment.Code
	if n := len(t.spare); n > 0 {
		row, t.spare = t.spare[n-1], t.spare[:n-1]
	} else {
		row = make([]segment.Code, len(t.Columns)*t.width())
	}
	t.Times, t.Rows = append(t.Times, time), append(t.Rows, row)
	return row
}

// Drop forgets all rows.
func (t *rows) Drop() {
	t.spare = append(t.spare, t.Rows...)
	t.Times, t.Rows = nil, nil
	clear(t.Seen)
}

// Bytes is what the rows take.
func (t *rows) Bytes() int64 { return int64(len(t.Rows)) * int64(len(t.Columns)*t.width()) * 2 }

// Span is from the first row to the last; 0 where there is none.
func (t *rows) Span() (from, to int64) {
	if len(t.Times) == 0 {
		return 0, 0
	}
	return t.Times[0], t.Times[len(t.Times)-1]
}

// Column is that of a name; -1 where it is not there.
func (t *rows) Column(name string) int {
	for i, c := range t.Columns {
		if c == name {
			return i
		}
	}
	return -1
}

// After is the rows after a time.
func (t *rows) After(time int64) *rows {
	n := 0
	for n < len(t.Times) && t.Times[n] <= time {
		n++
	}
	part := *t
	part.Times, part.Rows = t.Times[n:], t.Rows[n:]
	return &part
}

// Fill turns rows to components, for a column. Components of which all is zero or
// missing, as most paths to a LUN are, are not looked at.
func (t *rows) Fill(column int) segment.Fill {
	var busy []int // those of a page, by their place in it
	return func(p *segment.Page) (segment.Code, bool) {
		seen := t.Seen[column*t.width()+p.Place:][:p.N]
		if c, same := allSame(seen); same {
			return c, true
		}
		busy = busy[:0]
		for i := range seen {
			if c, same := seen[i].Same(); same {
				p.Repeat(i*len(t.Times), len(t.Times), c)
			} else {
				busy = append(busy, i)
			}
		}
		at := 0
		for ; at+8 <= len(t.Rows); at += 8 {
			t.turnEight(p, column, at, busy)
		}
		for ; at < len(t.Rows); at++ {
			row := t.part(at, column, p.Place, p.N)
			for _, i := range busy {
				p.Put(i*len(t.Times)+at, row[i])
			}
		}
		return 0, false
	}
}

// allSame says whether all components have one code only, the same.
func allSame(seen []segment.Seen) (segment.Code, bool) {
	all := segment.Seen(0)
	for _, s := range seen {
		all |= s
	}
	return all.Same()
}

// part is some components of a row.
func (t *rows) part(at, column, place, n int) []segment.Code {
	return t.Rows[at][column*t.width()+place:][:n]
}

// turnEight turns eight rows at once, which is most of the work of a store.
func (t *rows) turnEight(p *segment.Page, column, at int, busy []int) {
	var rows [8][]segment.Code
	for i := range rows {
		rows[i] = t.part(at+i, column, p.Place, p.N)
	}
	for _, i := range busy {
		var low, high uint64
		for r := range rows {
			code := uint64(rows[r][i])
			low, high = low>>8|code<<56, high>>8|code>>8<<56
		}
		to := i*len(t.Times) + at
		binary.LittleEndian.PutUint64(p.Low[to:], low)
		binary.LittleEndian.PutUint64(p.High[to:], high)
	}
}

// Look finds out what the components' values are.
func (t *rows) Look() {
	t.Seen = make([]segment.Seen, len(t.Columns)*t.width())
	for _, row := range t.Rows {
		segment.SeeAll(row, t.Seen)
	}
}

// Codes returns a column of the components from one place to before another, all
// times of each together.
func (t *rows) Codes(column, first, last int) []segment.Code {
	out := make([]segment.Code, (last-first)*len(t.Times))
	for at := range t.Rows {
		for i, c := range t.part(at, column, first, last-first) {
			out[i*len(t.Times)+at] = c
		}
	}
	return out
}

// FullColumns are those that hold anything. Somebody has looked.
func (t *rows) FullColumns() []int {
	var out []int
	for column := range t.Columns {
		if c, same := allSame(t.Seen[column*t.width():][:t.width()]); len(t.Rows) > 0 && (!same || c != segment.Missing) {
			out = append(out, column)
		}
	}
	return out
}
