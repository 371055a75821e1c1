package agent

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// none stands where there is nothing to show.
const none = "–"

// A grid is a table in text: numbers to the right, words to the left.
type grid struct {
	columns []column
	rows    [][]string
}

type column struct {
	head  string
	words bool
}

func (g *grid) add(cells ...string) {
	for i := range cells {
		if cells[i] == "" {
			cells[i] = none
		}
	}
	g.rows = append(g.rows, cells)
}

// print writes the table, and nothing where it has no rows.
func (g *grid) print(w io.Writer) {
	if len(g.rows) == 0 {
		return
	}
	var heads []string
	for _, c := range g.columns {
		heads = append(heads, c.head)
	}
	widths := g.widths()
	for _, row := range append([][]string{heads}, g.rows...) {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString("  " + g.columns[i].pad(cell, widths[i]))
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

func (g *grid) widths() []int {
	widths := make([]int, len(g.columns))
	for i, c := range g.columns {
		widths[i] = utf8.RuneCountInString(c.head)
		for _, row := range g.rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	return widths
}

func (c column) pad(cell string, width int) string {
	space := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
	if c.words {
		return cell + space
	}
	return space + cell
}
