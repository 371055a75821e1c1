package policy

const (
	// pull is how many answers those of all members count for in the
	// distribution of one: a few hundred say what is common, all together say
	// what is rare.
	pull = 256

	// renewal is after how many answers the savings of all members have been
	// computed anew: in an eighth of the memory they change little.
	renewal = memory / 8
)

// seen is what hedge knows of how long members take.
type seen struct {
	own   []histogram // by member, as a multiple of the median
	all   histogram   // of all members
	extra histogram   // of extra reads
	saved []savings   // by member
	turn  int         // whose savings are computed next
	stale int         // answers since the last were
}

func newSeen(members int) seen {
	return seen{own: make([]histogram, members), saved: make([]savings, members)}
}

// add learns of an answer, as a multiple of the median.
func (s *seen) add(member int, x float64) {
	s.own[member].add(x)
	s.all.add(x)
	s.stale++
}

// enough says whether there have been enough answers to tell what is usual.
func (s *seen) enough() bool { return s.all.size() >= 2*renewal }

// saves is what an extra read is expected to save who waits for a member. It
// computes one member's savings at a time, since readers wait meanwhile.
func (s *seen) saves(member int) *savings {
	if s.stale >= renewal/len(s.own) {
		s.stale = 0
		s.renew(s.turn)
		s.turn = (s.turn + 1) % len(s.own)
	}
	return &s.saved[member]
}

func (s *seen) renew(member int) {
	own := &s.own[member]
	shares, extra := own.shares(&s.all, pull), s.extra.shares(&s.all, pull)
	doubt(&shares, 1/(own.size()+pull))
	s.saved[member] = saved(&shares, &extra)
}
