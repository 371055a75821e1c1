package policy

import "time"

// sitout is reactive and passes over who is on the bench.
type sitout struct {
	judge
	bench *sitOuts
}

func newSitout(p *Policy) *sitout {
	b := newSitOuts(p)
	return &sitout{judge{reactive{p: p}, b}, b}
}

func (s *sitout) begin(r *Request, now time.Duration) (avoid set, more int, trial set) {
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
func (s *sitout) tryable(r *Request, member int) bool {
	return r.want.has(member) || r.want.len() == s.p.data
}

// failed is a trial that was lost. Who plays and fails is no slower for that.
func (s *sitout) failed(r *Request, now time.Duration, member int) {
	if s.bench.out().has(member) {
		s.bench.late(member, r.begun, now)
	}
}
