package render

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// width is that of a terminal nobody has made wider.
const width = 79

// wrap prints a paragraph no wider than a terminal, whose first line and whose
// others begin so far in. A number stays with its unit.
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

// tie stands for a space where no line ends.
const tie = "\x00"

var joined = strings.NewReplacer(" %", tie+"%", " percentage point", tie+"percentage"+tie+"point", " points", tie+"points", " h ", tie+"h ", " h)", tie+"h)")
