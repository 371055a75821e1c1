package metric

// maxWrap is the largest difference that a 32-bit counter is believed to
// have made by wrapping. More is a counter that was reset: taking it for a
// wrap would invent work.
const maxWrap = 1 << 31

// span differences the counters of one device and remembers whether any of
// them was reset.
type span struct {
	narrow bool
	reset  bool
}

// count differences a counter as wide as the writer's long.
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

// ticks differences a counter of 32 bits.
func (s *span) ticks(now, before uint32) uint64 {
	d := now - before
	if d >= maxWrap {
		s.reset = true
		return 0
	}
	return uint64(d)
}
