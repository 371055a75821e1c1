package metric

// maxWrap separates a wrap of a 32-bit counter from a reset. Take the difference of two values
// modulo 2³². If the difference is below maxWrap, the counter has increased, and has perhaps
// wrapped. If the difference is maxWrap or more, the counter was reset. A reset that counted as a
// wrap would add work that was never done.
const maxWrap = 1 << 31

// span computes how much the counters of one device increased between two readings, and records
// whether any counter was reset. If all counters have 32 bits, span.narrow is set.
type span struct {
	narrow bool
	reset  bool
}

// count returns how much a counter of the C type long increased. This type has 32 bits if narrow is
// set, otherwise 64 bits. The result is 0 if the counter was reset.
func (s *span) count(now, before uint64) uint64 {
	if now >= before {
		return now - before
	}
	if s.narrow {
		return s.ticks(uint32(now), uint32(before))
	}
	s.reset = true
	return 0
}

// ticks returns how much a 32-bit counter increased; 0 if the counter was reset.
func (s *span) ticks(now, before uint32) uint64 {
	d := now - before
	if d >= maxWrap {
		s.reset = true
		return 0
	}
	return uint64(d)
}
