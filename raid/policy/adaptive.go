package policy

import "time"

// adaptive is reactive and passes over who is on the bench.
type adaptive struct {
	reactive
	bench bench
}

func newAdaptive(p *Policy) *adaptive {
	return &adaptive{reactive: reactive{p: p}, bench: newBench(p)}
}

func (s *adaptive) begin(r *Request, now time.Duration) (avoid set, more int, trial set) {
	out := s.bench.out()
	if out == 0 {
		return 0, 0, 0
	}
	for m := range s.bench.trials(now).members() {
		if s.p.out[m] == 0 && s.tryable(r, m) {
			trial |= one(m)
		}
	}
	return out, 0, trial
}

// tryable says whether a trial in this request would show anything: the
// member's peers must be asked too.
func (s *adaptive) tryable(r *Request, member int) bool {
	return r.want.has(member) || r.want.len() == s.p.data
}

func (s *adaptive) step(r *Request, now time.Duration) (without int) {
	if !r.late(now, s.p.options.ST) {
		return 0
	}
	late := r.out & r.first
	for m := range (late &^ r.judged).members() {
		s.bench.late(m, r.begun, now)
	}
	r.judged |= late
	return late.len()
}

// answered judges a member by its answer, unless it was found late before.
// Who answers before the median is known is prompt.
func (s *adaptive) answered(r *Request, now time.Duration, member int, took time.Duration) {
	if r.first.len() < 3 || !r.first.has(member) || r.judged.has(member) {
		return
	}
	r.judged |= one(member)
	median, known := r.median()
	if known && took > times(median, s.bench.limit(member)) {
		s.bench.late(member, r.begun, now)
	} else {
		s.bench.prompt(member)
	}
}
