package manual

import (
	"fmt"
	"strings"
)

// roff writes the source of a man page.
type roff struct{ strings.Builder }

// escapes replaces the characters that roff would change: the backslash, and the minus, which must
// stay a minus when people copy it.
var escapes = strings.NewReplacer(`\`, `\e`, "-", `\-`)

// escape returns a line that roff prints as text and does not read as a request.
func escape(line string) string {
	line = escapes.Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}

func (r *roff) request(format string, args ...any) {
	fmt.Fprintf(r, format+"\n", args...)
}

// section begins a section of the page.
func (r *roff) section(title string) { r.request(".SH %s", escape(strings.ToUpper(title))) }

// blocks writes the blocks of a text. Headings become sections.
func (r *roff) blocks(blocks []block) {
	for _, b := range blocks {
		switch b.kind {
		case heading:
			r.section(b.text())
		case paragraph:
			r.request(".PP")
			for _, line := range b.lines {
				r.request("%s", escape(line))
			}
		case verbatim:
			r.verbatim(b.lines)
		case item:
			mark, rest, _ := strings.Cut(b.text(), " ")
			if mark == "-" {
				mark = `\(bu`
			} else {
				mark = escape(mark)
			}
			r.request(".IP %s 3\n%s", mark, escape(rest))
		case grid:
			r.verbatim(b.gridLines())
		}
	}
}

// verbatim writes lines unchanged, without the indentation that they share.
func (r *roff) verbatim(lines []string) {
	cut := len(margin)
	for _, line := range lines {
		if line != "" {
			cut = min(cut, len(line)-len(strings.TrimLeft(line, " ")))
		}
	}
	r.request(".PP\n.RS 2\n.nf")
	for _, line := range lines {
		if line == "" {
			r.request(`\&`)
			continue
		}
		r.request("%s", escape(line[cut:]))
	}
	r.request(".fi\n.RE")
}
