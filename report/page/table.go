package page

import (
	"fmt"
	"io"
	"strings"
)

// A Table has a header and rows of cells; a large one scrolls in place.
type Table struct {
	Caption string
	Columns []Column
	Rows    [][]Cell
	// Cards shows each row as a card on a narrow screen: its first cell, and below it the other
	// cells with the names of their columns. It is for rows that begin with a sentence.
	Cards bool
}

// A Column has a name. A column of numbers is aligned to the right.
type Column struct {
	Name    string
	Numeric bool
}

// A Cell is a text, formatted by the caller. It may link to a section of the same page, and has the
// colour of its role.
type Cell struct {
	Text string
	To   *Section
	Role Role
}

// Cells returns a row of plain cells.
func Cells(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	return row
}

func (t Table) check(p *Page) error {
	if len(t.Columns) == 0 {
		return fmt.Errorf("table %q has no columns: give at least one column", t.Caption)
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("table %q: row %d has %d cells, but the header has %d columns", t.Caption, i, len(row), len(t.Columns))
		}
		for _, cell := range row {
			if err := cell.check(p); err != nil {
				return fmt.Errorf("table %q: row %d: cell %q: %w", t.Caption, i, cell.Text, err)
			}
		}
	}
	return nil
}

func (c Cell) check(p *Page) error {
	if !c.Role.known() {
		return fmt.Errorf("role number %d is unknown: use a role that role.go defines", c.Role)
	}
	return p.checkLink(c.To)
}

func (t Table) write(w io.Writer) error { return render(w, "table", t) }

// cellClass returns a cell's CSS classes: the alignment of its column, and the first colour of its
// role.
func cellClass(column Column, c Cell) string {
	var class []string
	if column.Numeric {
		class = append(class, "number")
	}
	if c.Role != Plain {
		class = append(class, c.Role.class(0))
	}
	return strings.Join(class, " ")
}
