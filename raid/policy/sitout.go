package policy

import "time"

// sitout is like reactive, and also passes over members that were late several times in a row. It
// tries them again later.
type sitout struct {
	judge
	sitOuts *sitOuts
}

func newSitout(p *Policy) *sitout {
	b := newSitOuts(p)
	return &sitout{judge{reactive{p: p}, b}, b}
}

func (s *sitout) begin(r *Request, now time.Duration) (avoid set, more int, trial set) {
	out := s.sitOuts.out()
	if out == 0 {
		return 0, 0, 0
	}
	for m := range s.sitOuts.trials(now).members() {
		if s.p.out[m] == 0 && s.tryable(r, m) {
			trial |= one(m)
		}
	}
	return out, 0, trial
}

// tryable reports whether this request can try a member. Its peers must be read too, because a
// latency without their median is no evidence.
func (s *sitout) tryable(r *Request, member int) bool {
	return r.want.has(member) || r.want.len() == s.p.data
}

// failed counts a failed read of a member on trial as a late answer. A failed read of a member that
// is not passed over is no sign of slowness.
func (s *sitout) failed(r *Request, now time.Duration, member int) {
	if s.sitOuts.out().has(member) {
		s.sitOuts.late(member, r.begun, now)
	}
}
