// Package plain makes text safe for terminals and mails: what cannot be printed is
// shown by its number, so that a name in a file can neither colour a screen nor
// clear it.
//
// It knows nothing of storage.
package plain

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is a text in which everything can be printed. Line ends and tabs stay.
func Text(s string) string {
	if strings.IndexFunc(s, isOdd) < 0 && utf8.ValidString(s) {
		return s
	}
	var out strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&out, `\x%02x`, s[0])
		case isOdd(r) && r < utf8.RuneSelf:
			fmt.Fprintf(&out, `\x%02x`, r)
		case isOdd(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteString(s[:n])
		}
		s = s[n:]
	}
	return out.String()
}

// isOdd says whether a character cannot be printed, or changes how others are: those
// that turn the direction of writing are among them.
func isOdd(r rune) bool {
	return r != '\n' && r != '\t' && r != ' ' && !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
}

// Writer passes whole texts on, each made safe.
type Writer struct{ W io.Writer }

// Write writes a text.
func (w Writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.W, Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
