package policy

import (
	"cmp"
	"slices"
	"time"
)

// hedge is sitout and asks as soon as that is worth a read.
type hedge struct {
	sitout
	seen   seen
	budget hedgeBudget
	gains  []float64
}

func newHedge(p *Policy) *hedge {
	n := p.data + p.parity
	return &hedge{sitout: *newSitout(p), seen: newSeen(n), budget: newHedgeBudget(p.options.Budget), gains: make([]float64, 0, n)}
}

// begin tries and passes over nobody at the cost of reads that the budget does
// not allow: to do without a member in a part of a stripe takes the rest of it.
// Only who hangs is passed over in any case.
func (s *hedge) begin(r *Request, now time.Duration) (avoid set, more int, trial set) {
	avoid, more, trial = s.sitout.begin(r, now)
	cost := trial.len()
	if (avoid|r.shun)&r.want != 0 {
		cost += s.p.data - r.want.len()
	}
	if s.budget.allows(cost) {
		return avoid, more, trial
	}
	free := s.p.hung(now) | ^r.want
	r.shun &= free
	return avoid & free, 0, 0
}

func (s *hedge) step(r *Request, now time.Duration) (without int) {
	s.budget.pay(r.extra - r.settled) // what began with it
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

// buy pays for the reads, or sees to it that the request is woken to try again
// before it has taken much longer.
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

// relative is how much longer than the median of its request a latency is, in
// usual medians and such that the median is 1. A request too small to have a
// median of its own has the usual one.
func (s *hedge) relative(r *Request, took, usual time.Duration) (x float64, known bool) {
	median, known := r.median()
	if r.small() {
		median, known = usual, true
	}
	return 1 + float64(took-median)/float64(usual), known
}

// choose says how many to do without now, and else sees to it that the request
// is woken when that will be worth it.
func (s *hedge) choose(r *Request, now, usual time.Duration, x float64) (without int) {
	if r.most() <= 0 {
		return 0
	}
	have, most := (r.came | r.out).len(), r.most()
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

// at are the gains by the members that are out when they have taken as long
// as where a bin begins, the greatest first.
func (s *hedge) at(r *Request, bin int) []float64 {
	s.gains = s.gains[:0]
	for m := range (r.out & r.first).members() {
		s.gains = append(s.gains, s.seen.saves(m)[bin])
	}
	slices.SortFunc(s.gains, func(a, b float64) int { return cmp.Compare(b, a) })
	return s.gains
}

// answered learns how long members take that are relied on, as soon as it is
// known what their latency is to be measured by.
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

func (s *hedge) learn(r *Request, member int) {
	usual := s.p.usual.median(r.bytes)
	if usual == 0 || s.bench.out().has(member) {
		return
	}
	if !r.first.has(member) {
		s.seen.extra.add(float64(r.took[member]) / float64(usual))
		return
	}
	x, _ := s.relative(r, r.took[member], usual)
	s.seen.add(member, x)
}

func (s *hedge) ended(r *Request) {
	s.budget.earn(r.needed)
}
