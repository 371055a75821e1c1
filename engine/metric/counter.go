package metric

// maxWrap is the greatest difference that counts as a wrap of a 32-bit counter. A
// greater difference means that the counter was reset. If it counted as a wrap, there
// would be work that was never done.
const maxWrap = 1 << 31

// span takes the differences of the counters of one device, and records whether any of them
// was reset. Narrow is set for counters of 32 bits.
type span struct {
	narrow bool
	reset  bool
}

// count returns the difference of a counter that has the size of the writer's long.
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
