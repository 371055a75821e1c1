package kernel

import "bytes"

// words is the rest of a line.
type words []byte

// next removes the first word and returns it; at the end of the line the word is empty.
func (w *words) next() []byte {
	b := *w
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	n := 0
	for n < len(b) && !blank(b[n]) {
		n++
	}
	*w = b[n:]
	return b[:n]
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// number removes the first word and returns its value; ok is false if it is no number.
func (w *words) number() (n uint64, ok bool) { return number(w.next()) }

// numbers reads numbers into places, until places is full or a word is no number. It returns how
// many it read.
func (w *words) numbers(places []uint64) int {
	for i := range places {
		n, ok := w.number()
		if !ok {
			return i
		}
		places[i] = n
	}
	return len(places)
}

// number returns the value of decimal digits.
func number(b []byte) (n uint64, ok bool) {
	const limit = (1<<64 - 1) / 10
	for _, c := range b {
		digit := uint64(c - '0')
		if digit > 9 || n > limit || n == limit && digit > 5 {
			return 0, false
		}
		n = n*10 + digit
	}
	return n, len(b) > 0
}

// cutLine returns the first line of a text, and the rest.
func cutLine(text []byte) (line words, rest []byte) {
	before, after, _ := bytes.Cut(text, []byte{'\n'})
	return before, after
}
