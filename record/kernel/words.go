package kernel

import "bytes"

// words are those of a line that have not been taken yet.
type words []byte

// next takes a word; at the end there is none.
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

// number takes a word that is a number.
func (w *words) number() (n uint64, ok bool) { return number(w.next()) }

// numbers takes as many as there are places and says how many there were.
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

// number is the value of decimal digits.
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

// cutLine takes a line off a text.
func cutLine(text []byte) (line words, rest []byte) {
	before, after, _ := bytes.Cut(text, []byte{'\n'})
	return before, after
}
