package store

// Numbers calls f for each number of an array, with false for null. Most
// numbers of an answer are read in place by quick. Number reads the others:
// numbers with a sign, an exponent or many digits, and numbers that are not in
// the buffer as a whole.
func (s *scanner) Numbers(f func(v float64, ok bool)) {
	s.list('[', ']', func() {
		s.quick(f)
		f(s.Number())
	})
}

// quick reads the numbers that are in the buffer as a whole, each with the
// comma after it.
func (s *scanner) quick(f func(v float64, ok bool)) {
	if s.err != nil {
		return
	}
	there, _ := s.in.Peek(s.in.Buffered()) // what is in the buffer
	read := 0
	for {
		v, n := plain(there[read:])
		if n == 0 {
			break
		}
		f(v, true)
		read += n
	}
	_, _ = s.in.Discard(read) // Peek has returned it
}

// plain reads a number of at most 15 digits and the comma after it. It returns
// the number of bytes of both, or 0 where there is something else.
func plain(b []byte) (v float64, bytes int) {
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
