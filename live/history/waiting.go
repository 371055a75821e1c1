// Rows wait in memory until they are written as a segment. Rows arrive in order of time, and each
// row has all components. In a page of a segment, the order is different: all times of one
// component, then all times of the next component. The code below converts rows into pages.

package history

import (
	"encoding/binary"

	"github.com/limpet-storage/limpet/live/history/segment"
)

// rows holds the rows that are not on disk yet.
type rows struct {
	Layout  *segment.Layout
	Columns []string
	Seconds int64 // length of the time that one row covers, in seconds
	Times   []int64
	Rows    [][]segment.Code // one row for each time; a row holds all columns, one behind the other; a column has the components in the order of the layout
	spare   [][]segment.Code
	Seen    []segment.Seen // kinds of values that occur, for each column and component, in the order of a row; nil if FindKinds has not run
}

// newWaiting returns an empty list of rows.
func newWaiting(l *segment.Layout, columns []string, seconds int64) *rows {
	return &rows{Layout: l, Columns: columns, Seconds: seconds}
}

// width returns the number of components.
func (t *rows) width() int { return len(t.Layout.Components) }

// Add appends a row and returns the row. The caller must fill the row.
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

// Drop removes all rows.
func (t *rows) Drop() {
	t.spare = append(t.spare, t.Rows...)
	t.Times, t.Rows = nil, nil
	clear(t.Seen)
}

// Bytes returns the memory that the rows take, in bytes.
func (t *rows) Bytes() int64 { return int64(len(t.Rows)) * int64(len(t.Columns)*t.width()) * 2 }

// Span returns the times of the first and the last row. Both are 0 if there are no rows.
func (t *rows) Span() (from, to int64) {
	if len(t.Times) == 0 {
		return 0, 0
	}
	return t.Times[0], t.Times[len(t.Times)-1]
}

// Column returns the index of the column with the given name. It returns -1 if there is no such
// column.
func (t *rows) Column(name string) int {
	for i, c := range t.Columns {
		if c == name {
			return i
		}
	}
	return -1
}

// RowsAfter returns the rows that are later than the given time.
func (t *rows) RowsAfter(time int64) *rows {
	n := 0
	for n < len(t.Times) && t.Times[n] <= time {
		n++
	}
	part := *t
	part.Times, part.Rows = t.Times[n:], t.Rows[n:]
	return &part
}

// Fill returns the function that fills pages of a column. If the values of a component are all zero
// or all missing, the function writes one code repeatedly, which is faster. Most attachments
// of a large system are idle, and have such values.
func (t *rows) Fill(column int) segment.Fill {
	var busy []int // positions, in the page, of the components with different values
	return func(p *segment.Page) (segment.Code, bool) {
		seen := t.Seen[column*t.width()+p.Place:][:p.N]
		if c, same := allSame(seen); same {
			return c, true
		}
		busy = busy[:0]
		for i := range seen {
			if c, same := seen[i].Uniform(); same {
				p.Repeat(i*len(t.Times), len(t.Times), c)
			} else {
				busy = append(busy, i)
			}
		}
		at := 0
		for ; at+8 <= len(t.Rows); at += 8 {
			t.copyEight(p, column, at, busy)
		}
		for ; at < len(t.Rows); at++ {
			row := t.codesOf(at, column, p.Place, p.N)
			for _, i := range busy {
				p.Put(i*len(t.Times)+at, row[i])
			}
		}
		return 0, false
	}
}

// allSame reports whether all values of the given components are zero, or all are missing. It also
// returns the code of these values.
func allSame(seen []segment.Seen) (segment.Code, bool) {
	all := segment.Seen(0)
	for _, s := range seen {
		all |= s
	}
	return all.Uniform()
}

// codesOf returns the codes of n components in one column of one row. The parameter `at` is the
// index of the row. The parameter `place` is the position of the first component.
func (t *rows) codesOf(at, column, place, n int) []segment.Code {
	return t.Rows[at][column*t.width()+place:][:n]
}

// copyEight copies the codes of eight rows into a page. The first row has the index `at`. The store
// spends most of its time in this function, so it writes eight codes at once, which is faster.
func (t *rows) copyEight(p *segment.Page, column, at int, busy []int) {
	var rows [8][]segment.Code
	for i := range rows {
		rows[i] = t.codesOf(at+i, column, p.Place, p.N)
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

// FindKinds sets rows.Seen: it finds which kinds of values each component has in each column.
func (t *rows) FindKinds() {
	t.Seen = make([]segment.Seen, len(t.Columns)*t.width())
	for _, row := range t.Rows {
		segment.AddSeen(row, t.Seen)
	}
}

// Codes returns the codes of a column for the components at the positions `first` to `last`-1. The
// codes of a component are next to each other, in order of time.
func (t *rows) Codes(column, first, last int) []segment.Code {
	out := make([]segment.Code, (last-first)*len(t.Times))
	for at := range t.Rows {
		for i, c := range t.codesOf(at, column, first, last-first) {
			out[i*len(t.Times)+at] = c
		}
	}
	return out
}

// FullColumns returns the indexes of the columns that have at least one value. FindKinds must have run.
func (t *rows) FullColumns() []int {
	var out []int
	for column := range t.Columns {
		if c, same := allSame(t.Seen[column*t.width():][:t.width()]); len(t.Rows) > 0 && (!same || c != segment.Missing) {
			out = append(out, column)
		}
	}
	return out
}
