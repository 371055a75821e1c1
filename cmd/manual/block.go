package manual

import "strings"

// kind is the type of a block, such as a paragraph or a heading.
type kind int

const (
	paragraph kind = iota
	heading
	verbatim // printed as it is
	item     // item of a list; the first word is its mark
	grid     // lines of a Markdown table
)

// block is a part of a text.
type block struct {
	kind  kind
	lines []string
}

func (b *block) text() string { return strings.Join(b.lines, " ") }

// margin is the indentation of lines that belong to the line above them.
const margin = "    "

// parse splits the text of a command into blocks. Empty lines end paragraphs, but are kept in
// verbatim blocks.
func parse(text string) []block {
	var blocks []block
	add := func(k kind, line string) {
		if n := len(blocks); n > 0 && blocks[n-1].kind == k && (k == verbatim || !ended(blocks[n-1])) {
			blocks[n-1].lines = append(blocks[n-1].lines, line)
			return
		}
		blocks = append(blocks, block{k, []string{line}})
	}
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		line = strings.TrimRight(line, " \n")
		switch {
		case line == "" && len(blocks) > 0:
			last := &blocks[len(blocks)-1]
			last.lines = append(last.lines, "")
		case line == "":
		case strings.HasPrefix(line, "  "):
			add(verbatim, line)
		default:
			add(paragraph, line)
		}
	}
	for i := range blocks {
		blocks[i].trim()
	}
	return blocks
}

// ended reports whether the last line of a block is empty.
func ended(b block) bool { return b.lines[len(b.lines)-1] == "" }

func (b *block) trim() {
	for len(b.lines) > 1 && ended(*b) {
		b.lines = b.lines[:len(b.lines)-1]
	}
}
