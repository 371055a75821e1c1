package render

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// width is the number of columns of a line, for a terminal of the usual size.
const width = 79

// wrap prints a paragraph with lines no longer than width. The first line is indented by first
// spaces, the other lines by others spaces. A line does not break between a number and its
// unit.
func wrap(w io.Writer, first, others int, text string) {
	line := strings.Repeat(" ", first)
	for i, word := range strings.Split(joined.Replace(text), " ") {
		word = strings.ReplaceAll(word, tie, " ")
		switch {
		case i == 0:
			line += word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			fmt.Fprintln(w, line)
			line = strings.Repeat(" ", others) + word
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(w, line)
}

// tie stands for a space at which a line must not break.
const tie = "\x00"

var joined = strings.NewReplacer(" %", tie+"%", " percentage point", tie+"percentage"+tie+"point", " points", tie+"points", " h ", tie+"h ", " h)", tie+"h)")
