package printable

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s with the numbers of characters that cannot be printed, in place of these
// characters. Line ends and tabs stay.
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

// isOdd reports whether a character cannot be printed, or changes how other characters are printed,
// such as a change of the writing direction.
func isOdd(r rune) bool {
	return r != '\n' && r != '\t' && r != ' ' && !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
}

// A Writer writes text to another writer as [Text] returns it. It keeps an incomplete character at
// the end of a write until the rest comes. Nothing is lost, because programs end their output with
// a line end.
type Writer struct {
	to   io.Writer
	half []byte
}

// NewWriter returns a writer that writes to another writer.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Write writes text. It returns len(p), or an error.
func (w *Writer) Write(p []byte) (int, error) {
	text := slices.Concat(w.half, p)
	whole := len(text) - halfRune(text)
	_, err := io.WriteString(w.to, Text(string(text[:whole])))
	w.half = append(w.half[:0], text[whole:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// halfRune returns the number of bytes of an incomplete character at the end of a text.
func halfRune(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return n
			}
			return 0
		}
	}
	return 0
}
