package manual

import (
	"fmt"
	"strings"
)

// roff writes the source of a man page.
type roff struct{ strings.Builder }

// escapes keep roff from taking text for requests: its own sign, and a minus that
// people may copy.
var escapes = strings.NewReplacer(`\`, `\e`, "-", `\-`)

// text is a line of text that roff takes for nothing else.
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

// section begins one.
func (r *roff) section(title string) { r.request(".SH %s", escape(strings.ToUpper(title))) }

// blocks writes blocks of a text, whose headings become sections.
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

// verbatim writes lines as they are, less the margin that all of them have.
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
