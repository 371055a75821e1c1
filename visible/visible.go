// Package visible writes text of others so that it is seen and does nothing:
// characters that steer a terminal, which names in files may hold, are written
// as the pictures that Unicode has for them.
//
//	d\x1b[31m2   is written as   d␛[31m2
//
// It stands last in the stream, before pages and terminals, and knows neither.
package visible

import (
	"bytes"
	"io"
	"strings"
)

// Ranges of characters that steer.
const (
	space   = 0x20
	del     = 0x7f
	c1Lead  = 0xc2 // of a character from 0x80 on, in UTF-8
	c1First = 0x80
	c1Last  = 0x9f
)

// Pictures of them: U+2400 and on, by character.
const (
	pictures   = '\u2400'
	delPicture = '\u2421'
	c1Picture  = '\ufffd' // those have none
)

// A Writer writes to another.
type Writer struct {
	to   io.Writer
	lead bool // a byte of a character that may steer is held back
	buf  []byte
}

// NewWriter returns one. It holds no more than half a character back.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Write writes text. It reports all of it as written, or an error.
func (w *Writer) Write(p []byte) (int, error) {
	if !w.lead && !bytes.ContainsFunc(p, steers) && !bytes.Contains(p, []byte{c1Lead}) {
		return w.to.Write(p)
	}
	w.buf = w.buf[:0]
	for _, b := range p {
		w.add(b)
	}
	if _, err := w.to.Write(w.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (w *Writer) add(b byte) {
	if w.lead {
		w.lead = false
		if b >= c1First && b <= c1Last {
			w.buf = append(w.buf, string(c1Picture)...)
			return
		}
		w.buf = append(w.buf, c1Lead)
	}
	switch {
	case b == c1Lead:
		w.lead = true
	case steers(rune(b)):
		w.buf = append(w.buf, string(picture(b))...)
	default:
		w.buf = append(w.buf, b)
	}
}

func steers(r rune) bool { return r < space && r != '\n' && r != '\t' || r == del }

func picture(b byte) rune {
	if b == del {
		return delPicture
	}
	return pictures + rune(b)
}

// String is a text as it can be shown.
func String(text string) string {
	var b strings.Builder
	w := NewWriter(&b)
	_, _ = w.Write([]byte(text)) // a builder takes all
	return b.String()
}
