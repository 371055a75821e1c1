package store

// Numbers calls f for each number of an array, with false for null. It is what an answer
// is made of, so most of them are read where they lie in memory; [Scanner.Number] is its
// plain twin, and reads what is not as plain as digits or not yet there.
func (s *scanner) Numbers(f func(v float64, ok bool)) {
	s.list('[', ']', func() {
		s.quick(f)
		f(s.Number())
	})
}

// quick reads the numbers that are there as a whole, each with the comma behind it.
func (s *scanner) quick(f func(v float64, ok bool)) {
	if s.err != nil {
		return
	}
	there, _ := s.in.Peek(s.in.Buffered()) // as much as there is
	read := 0
	for {
		v, n := plain(there[read:])
		if n == 0 {
			break
		}
		f(v, true)
		read += n
	}
	_, _ = s.in.Discard(read) // it was there
}

// plain reads a number of at most 15 digits with a comma behind it, and says how many
// bytes both take; 0 where something else stands there.
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
