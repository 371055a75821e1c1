package evaluate

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/report/page"
)

// textWidth is the usual width of a terminal.
const textWidth = 79

// writeText prints the texts and tables of a page. It leaves out the plots.
func writeText(w io.Writer, p *page.Page) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n", p.Title)
	wrap(out, p.Subtitle)
	for _, s := range p.Sections {
		if len(s.Blocks) > 0 && !slices.ContainsFunc(s.Blocks, func(b page.Block) bool { return !isPlot(b) }) {
			continue // a heading without anything below it
		}
		fmt.Fprintf(out, "\n%s\n%s\n", s.Title, strings.Repeat("-", utf8.RuneCountInString(s.Title)))
		for i, b := range s.Blocks {
			writeBlock(out, b, i > 0)
		}
	}
	return out.Flush()
}

// writeBlock prints a block; apart: with an empty line before it.
func writeBlock(w io.Writer, b page.Block, apart bool) {
	if apart && !isPlot(b) {
		fmt.Fprintln(w)
	}
	switch b := b.(type) {
	case page.Text:
		wrap(w, string(b))
	case page.Warning:
		wrap(w, "Note: "+string(b))
	case page.Table:
		align(w, b)
	}
}

func isPlot(b page.Block) bool {
	switch b.(type) {
	case page.Dots, page.Chart:
		return true
	}
	return false
}

// wrap prints paragraphs no wider than a terminal.
func wrap(w io.Writer, text string) {
	column := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
		case column+1+n > textWidth:
			fmt.Fprintln(w)
			column = 0
		default:
			fmt.Fprint(w, " ")
			column++
		}
		fmt.Fprint(w, word)
		column += n
	}
	fmt.Fprintln(w)
}

// align prints a table with aligned columns, numbers to the right.
func align(w io.Writer, t page.Table) {
	widths := make([]int, len(t.Columns))
	lines := [][]page.Cell{nil}
	for _, c := range t.Columns {
		lines[0] = append(lines[0], page.Cell{Text: c.Name})
	}
	lines = append(lines, t.Rows...)
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell.Text))
		}
	}
	if t.Caption != "" {
		fmt.Fprintf(w, "%s\n", t.Caption)
	}
	for _, line := range lines {
		var text strings.Builder
		for i, cell := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell.Text))
			if t.Columns[i].Numeric {
				text.WriteString("  " + pad + cell.Text)
			} else {
				text.WriteString("  " + cell.Text + pad)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(text.String(), " "))
	}
}
