package policy

import (
	"cmp"
	"slices"
	"time"
)

// hedge is the policy sitout with one difference: it makes an extra read as soon as the
// read is expected to save more time than its price (doc.go, Hedge).
type hedge struct {
	sitout
	seen   seen        // recent latencies of each member
	budget hedgeBudget // extra reads that are left
	gains  []float64   // scratch of at
}

func newHedge(p *Policy) *hedge {
	n := p.data + p.parity
	return &hedge{sitout: *newSitout(p), seen: newSeen(n), budget: newHedgeBudget(p.options.Budget), gains: make([]float64, 0, n)}
}

// begin passes over members, and tries slow members again, only as far as the budget allows the
// extra reads. A read of a part of a stripe that avoids a member must read the rest of the stripe.
// A member that hangs is always passed over.
func (s *hedge) begin(r *Request, now time.Duration) (avoid set, more int, trial set) {
	avoid, more, trial = s.sitout.begin(r, now)
	cost := trial.len()
	if (avoid|r.shun)&r.want != 0 && r.masked&r.want == 0 { // a mask of a wanted member reads the whole stripe anyway
		cost += s.p.data - r.want.len()
	}
	if s.budget.allows(cost) {
		return avoid, more, trial
	}
	free := s.p.hung(now) | ^r.want
	r.shun &= free
	return avoid & free, 0, 0
}

// step returns the number of late members that the request does without from now on, and
// pays for the reads in their place.
func (s *hedge) step(r *Request, now time.Duration) (without int) {
	s.budget.pay(r.extra - r.settled) // extra reads that the request began with
	r.settled = r.extra
	late := s.find(r, now)
	if late&s.p.hung(now) != 0 {
		return late.len()
	}
	for m := range late.members() {
		r.wakeBy(s.p.hangs(m))
	}
	without = late.len()
	if usual := s.p.usual.median(r.bytes); usual > 0 && s.seen.enough() {
		if x, known := s.relative(r, now-r.begun, usual); known && late.within(r.first) {
			without = s.choose(r, now, usual, x)
		}
	}
	return s.buy(r, now, without)
}

// buy pays for the extra reads, and returns without. If the budget does not allow them, it returns
// 0 and sets the time at which the request tries again: after another quarter of its time until
// now.
func (s *hedge) buy(r *Request, now time.Duration, without int) int {
	cost := r.cost(without)
	if cost > 0 && !s.budget.allows(cost) {
		r.wakeBy(now + (now-r.begun)/4 + 1)
		return 0
	}
	s.budget.pay(cost)
	r.settled += cost
	return without
}

// relative returns by how much a latency exceeds the median of its request, in units of
// the usual median, plus 1: the median itself is 1. A request that is too small for a
// median of its own has the usual median.
func (s *hedge) relative(r *Request, took, usual time.Duration) (x float64, known bool) {
	median, known := r.median()
	if r.small() {
		median, known = usual, true
	}
	return 1 + float64(took-median)/float64(usual), known
}

// choose returns how many members to do without now. If none is worth the price yet, it sets the
// time at which one will be.
func (s *hedge) choose(r *Request, now, usual time.Duration, x float64) (without int) {
	if r.mostWithout() <= 0 {
		return 0
	}
	have, most := (r.came | r.out).len(), r.mostWithout()
	for bin := binOf(x); bin < numBins; bin++ {
		without := worth(s.at(r, bin), s.budget.price, have, s.p.data, most)
		switch {
		case without == 0:
		case edges[bin] <= x:
			return without
		default:
			r.wakeBy(now + times(usual, edges[bin]-x) + 1)
			return 0
		}
	}
	return 0
}

// at returns the expected savings of an extra read in place of each member that has not
// answered, at the beginning of a bin of latency, the greatest first.
func (s *hedge) at(r *Request, bin int) []float64 {
	s.gains = s.gains[:0]
	for m := range (r.out & r.first).members() {
		s.gains = append(s.gains, s.seen.saves(m)[bin])
	}
	slices.SortFunc(s.gains, func(a, b float64) int { return cmp.Compare(b, a) })
	return s.gains
}

// answered adds the latency of an answer to the distribution of its member, as soon as
// the median of the request is known.
func (s *hedge) answered(r *Request, now time.Duration, member int, took time.Duration) {
	s.sitout.answered(r, now, member, took)
	_, known := r.median()
	switch {
	case r.small():
		s.learn(r, member)
	case !known:
	case r.fixes(member):
		for m := range (r.came & r.first).members() {
			s.learn(r, m)
		}
	default:
		s.learn(r, member)
	}
}

// learn adds the latency of one answer: of an extra read, or of a first read of a member
// that is not passed over.
func (s *hedge) learn(r *Request, member int) {
	usual := s.p.usual.median(r.bytes)
	if usual == 0 || (s.sitOuts.out() | r.masked).has(member) {
		return
	}
	if !r.first.has(member) {
		s.seen.extra.add(float64(r.took[member]) / float64(usual))
		return
	}
	x, _ := s.relative(r, r.took[member], usual)
	s.seen.add(member, x)
}

// ended adds the reads that the request needed to the budget.
func (s *hedge) ended(r *Request) {
	s.budget.earn(r.needed)
}
