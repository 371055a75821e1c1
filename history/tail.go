package history

import (
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

// fill turns rows to components, for a column.
func (t *tail) fill(column int) segment.Fill {
	return func(place, n int, to []segment.Code) {
		members, times := t.order[place:place+n], len(t.times)
		for at, row := range t.rows {
			row = row[column*len(t.order):][:len(t.order)]
			for i, c := range members {
				to[i*times+at] = row[c]
			}
		}
	}
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
