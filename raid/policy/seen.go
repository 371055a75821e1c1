package policy

import (
	"math/bits"
	"time"
)

const (
	// pull is how many answers those of all members count for in the
	// distribution of one: a few hundred say what is common, all together say
	// what is rare.
	pull = 256

	// renewal is after how many answers the savings of all members have been
	// computed anew: in an eighth of the memory they change little.
	renewal = memory / 8

	// medianStep is by what part a recent median moves towards an answer: it
	// doubles within 35 answers and is some percent off otherwise.
	medianStep = 1.02
)

// seen is what hedge knows of how long members take.
type seen struct {
	own     []histogram // by member, as a multiple of the median
	all     histogram   // of all members
	extra   histogram   // of extra reads
	saved   []savings   // by member
	turn    int         // whose savings are computed next
	stale   int         // answers since the last were
	medians [bits.UintSize + 1]time.Duration
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

// median is the recent one of reads of about that size, 0 where there was none.
func (s *seen) median(bytes int) time.Duration { return s.medians[class(bytes)] }

func class(bytes int) int { return bits.Len(uint(max(bytes, 0))) }

// tell learns of the median of a request or, where it has none, of an answer.
func (s *seen) tell(bytes int, took time.Duration) {
	switch m := &s.medians[class(bytes)]; {
	case *m == 0:
		*m = max(took, 1)
	case took > *m:
		*m = times(*m, medianStep) + 1
	default:
		*m = max(times(*m, 1/medianStep), 1)
	}
}
