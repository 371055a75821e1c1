package metric

// maxWrap is the bound between a wrap and a reset of a 32-bit counter. If the difference of two
// values, modulo 2³², is below maxWrap, the counter has increased, and has perhaps wrapped. If it
// is maxWrap or more, the counter was reset. If a reset counted as a wrap, the result would contain
// work that was never done.
const maxWrap = 1 << 31

// span computes the differences of the counters of one device, and records whether any counter was
// reset. If all counters have 32 bits, span.narrow is set.
type span struct {
	narrow bool
	reset  bool
}

// count returns the difference of a counter of the C type long. This type has 32 bits if narrow is
// set, otherwise 64 bits.
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

// ticks returns the difference of a 32-bit counter.
func (s *span) ticks(now, before uint32) uint64 {
	d := now - before
	if d >= maxWrap {
		s.reset = true
		return 0
	}
	return uint64(d)
}
