package policy

const (
	// pull is the weight of the answers of all members in the distribution of one member, in
	// answers. A few hundred answers of the member show its common latencies; the answers of all
	// members show the rare latencies.
	pull = 256

	// renewal is the number of answers after which the savings of all members have been computed
	// again. In an eighth of the memory they change little.
	renewal = memory / 8
)

// seen holds the latencies that hedge has measured.
type seen struct {
	own   []histogram // by member, in medians
	all   histogram   // all members
	extra histogram   // extra reads
	saved []savings   // by member
	turn  int         // member whose savings are computed next
	stale int         // answers since savings were computed
}

func newSeen(members int) seen {
	return seen{own: make([]histogram, members), saved: make([]savings, members)}
}

// add adds an answer, in medians.
func (s *seen) add(member int, x float64) {
	s.own[member].add(x)
	s.all.add(x)
	s.stale++
}

// enough reports whether there were enough answers to know the usual latencies.
func (s *seen) enough() bool { return s.all.size() >= 2*renewal }

// saves returns the expected savings of an extra read in place of a member. It computes the savings
// of only one member at a time, because readers wait meanwhile.
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
