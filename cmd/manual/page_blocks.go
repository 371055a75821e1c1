package manual

import (
	"strings"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// columns is the width of a topic on a terminal: 80 columns, less a margin.
const columns = 78

var (
	pageLink    = lazyregexp.New(`\[([^\]]*)\]\(([^)\s]*)\)`)
	pageImage   = lazyregexp.New(`^!\[[^\]]*\]\([^)\s]*\)$`)
	pageComment = lazyregexp.New(`^<!--.*-->$`)
	pageBold    = lazyregexp.New(`\*\*([^*]+)\*\*`)
	pageItalic  = lazyregexp.New(`(^|[\s(])\*([^*\s][^*]*)\*`)
)

// parsePage splits a Markdown page of docs into blocks: headings, paragraphs, verbatim lines
// (between fences), items of lists, and tables. It knows only the Markdown that the pages use. It
// leaves out pictures and comments.
func parsePage(text string) []block {
	var blocks []block
	fenced, joined := false, false // joined: the next line continues the last block
	add := func(k kind, line string) {
		if n := len(blocks); joined && n > 0 && blocks[n-1].kind == k {
			blocks[n-1].lines = append(blocks[n-1].lines, line)
		} else {
			blocks = append(blocks, block{k, []string{line}})
		}
		joined = true
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		title := strings.TrimLeft(line, "#")
		switch {
		case strings.HasPrefix(line, "```"):
			fenced, joined = !fenced, false
		case fenced:
			add(verbatim, strings.TrimRight("  "+line, " "))
		case line == "" || pageImage.MatchString(line) || pageComment.MatchString(line):
			joined = false
		case title != line && strings.HasPrefix(title, " "):
			joined = false
			add(heading, inline(title[1:]))
			joined = false
		case strings.HasPrefix(line, "|"):
			add(grid, line)
		case strings.HasPrefix(line, "- ") || isNumbered(line):
			joined = false
			add(item, inline(line))
		case strings.HasPrefix(line, "    ") && (!joined || blocks[len(blocks)-1].kind == verbatim):
			add(verbatim, line)
		case joined && blocks[len(blocks)-1].kind == item:
			add(item, inline(strings.TrimSpace(line)))
		default:
			add(paragraph, inline(strings.TrimSpace(line)))
		}
	}
	return blocks
}

// isNumbered reports whether a line is an item of a numbered list: "1. text".
func isNumbered(line string) bool {
	digits := strings.TrimLeft(line, "0123456789")
	return digits != line && strings.HasPrefix(digits, ". ")
}

// inline returns a line without the marks of Markdown. It replaces a link to another page by the
// text of the link and the name of the page.
func inline(line string) string {
	line = pageLink.ReplaceAllStringFunc(line, func(link string) string {
		m := pageLink.FindStringSubmatch(link)
		page, _, _ := strings.Cut(m[2], "#")
		if page == "" || strings.TrimSuffix(page, ".md") == m[1] {
			return m[1]
		}
		return m[1] + " (" + page + ")"
	})
	line = pageItalic.ReplaceAllString(pageBold.ReplaceAllString(line, "$1"), "$1$2")
	return strings.ReplaceAll(strings.ReplaceAll(line, "`", ""), `\|`, "|")
}

// plain returns blocks as text for a terminal of [columns] characters.
func plain(blocks []block) string {
	var out strings.Builder
	for i, b := range blocks {
		if i > 0 && (b.kind != item || blocks[i-1].kind != item) {
			out.WriteString("\n")
		}
		for _, line := range b.screen() {
			out.WriteString(line + "\n")
		}
	}
	return strings.TrimRight(out.String(), "\n")
}

// screen returns the lines of a block on a terminal.
func (b *block) screen() []string {
	switch b.kind {
	case heading:
		return []string{strings.ToUpper(b.text())}
	case verbatim:
		return b.lines
	case item:
		mark, rest, _ := strings.Cut(b.text(), " ")
		margin := strings.Repeat(" ", len(mark)+1)
		lines := fill(rest, columns-len(margin))
		for i := range lines {
			lines[i] = margin + lines[i]
		}
		lines[0] = mark + " " + lines[0][len(margin):]
		return lines
	case grid:
		return b.gridLines()
	default:
		return fill(b.text(), columns)
	}
}

// gridLines returns the lines of a table. It wraps the widest columns until the table fits. If a
// column would be too narrow, the cells of each row are below each other.
func (b *block) gridLines() []string {
	rows := b.cells()
	widths, fits := columnWidths(rows)
	if !fits {
		return stacked(rows)
	}
	var lines []string
	for i, row := range rows {
		for n, height := 0, 1; n < height; n++ {
			line := ""
			for c, cell := range row[:min(len(row), len(widths))] {
				text := fill(cell, widths[c])
				height = max(height, len(text))
				part := ""
				if n < len(text) {
					part = text[n]
				}
				line += part + strings.Repeat(" ", max(0, widths[c]-utf8.RuneCountInString(part))+gutter)
			}
			lines = append(lines, strings.TrimRight(line, " "))
		}
		if i == 0 && b.hasHead() {
			lines = append(lines, ruler(widths))
		}
	}
	return lines
}

const (
	gutter        = 2  // characters between two columns of a table
	narrowestCell = 14 // narrower columns of sentences are hard to read
)

// columnWidths returns the width of each column of a table, and whether the table fits a terminal.
// The widest column is made narrower until all fit, and none becomes narrower than its longest word.
func columnWidths(rows [][]string) (widths []int, fits bool) {
	widths = make([]int, len(rows[0]))
	least := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row[:min(len(row), len(widths))] {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			for _, word := range strings.Fields(cell) {
				least[i] = max(least[i], utf8.RuneCountInString(word))
			}
		}
	}
	for {
		total, widest := gutter*(len(widths)-1), -1
		for i, w := range widths {
			total += w
			if w > max(least[i], narrowestCell) && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		switch {
		case total <= columns:
			return widths, true
		case widest < 0:
			return nil, false
		}
		widths[widest]--
	}
}

// ruler returns the line below the head of a table.
func ruler(widths []int) string {
	var parts []string
	for _, w := range widths {
		parts = append(parts, strings.Repeat("-", w))
	}
	return strings.Join(parts, strings.Repeat(" ", gutter))
}

// hasHead reports whether the first row of a table names its columns.
func (b *block) hasHead() bool { return strings.Trim(b.lines[0], "| ") != "" }

// stacked returns the lines of a table that is too wide for a terminal: the first cell of a row,
// and the other cells below it.
func stacked(rows [][]string) []string {
	var lines []string
	for _, row := range rows {
		lines = append(lines, fill(row[0], columns)...)
		for _, cell := range row[1:] {
			if cell == "" {
				continue
			}
			for _, text := range fill(cell, columns-len(margin)) {
				lines = append(lines, margin+text)
			}
		}
	}
	return lines
}

// cells returns the cells of a table, without the line below its head, and without an empty head.
func (b *block) cells() (rows [][]string) {
	for i, line := range b.lines {
		if i == 1 && strings.Trim(line, "|-: ") == "" {
			continue
		}
		text := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), `\|`, "\x00")
		var row []string
		for _, cell := range strings.Split(text, "|") {
			row = append(row, inline(strings.TrimSpace(strings.ReplaceAll(cell, "\x00", "|"))))
		}
		rows = append(rows, row)
	}
	if !b.hasHead() {
		rows = rows[1:]
	}
	return rows
}

// fill breaks a text into lines of at most width characters. It returns at least one line.
func fill(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}
