package store

// Numbers reads an array of numbers, and calls f for each number. For null, the second argument of
// f is false. readBuffered reads most numbers directly in the buffer. scanner.Number reads the
// rest: numbers with a sign, an exponent or more than 15 digits, and the last number in the buffer.
func (s *scanner) Numbers(f func(v float64, ok bool)) {
	s.list('[', ']', func() {
		s.readBuffered(f)
		f(s.Number())
	})
}

// readBuffered reads the numbers that are completely in the buffer, each with the comma after it.
// It stops at the first number that parsePlain cannot read.
func (s *scanner) readBuffered(f func(v float64, ok bool)) {
	if s.err != nil {
		return
	}
	there, _ := s.in.Peek(s.in.Buffered()) // all bytes in the buffer
	read := 0
	for {
		v, n := parsePlain(there[read:])
		if n == 0 {
			break
		}
		f(v, true)
		read += n
	}
	_, _ = s.in.Discard(read) // no error: these bytes are in the buffer
}

// parsePlain parses a number of at most 15 digits and the comma after it. The second result is the
// number of bytes that were parsed, including the comma. It is 0 if the text does not begin with
// such a number and a comma.
func parsePlain(b []byte) (v float64, bytes int) {
	var n uint64
	point, digits := -1, 0
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9':
			n = n*10 + uint64(c-'0')
			digits++
		case c == '.' && point < 0 && digits > 0:
			point = digits
		case c == ',' && digits > 0 && digits <= exactDigits && point != digits:
			if point >= 0 {
				return float64(n) / powers[digits-point], i + 1
			}
			return float64(n), i + 1
		default:
			return 0, 0
		}
	}
	return 0, 0
}
