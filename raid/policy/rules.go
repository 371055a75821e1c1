package policy

import "time"

// normal waits for whom it asked.
type normal struct{}

func (normal) begin(*Request, time.Duration) (avoid set, more int, trial set) { return 0, 0, 0 }
func (normal) step(*Request, time.Duration) (without int)                     { return 0 }
func (normal) answered(_ *Request, _ time.Duration, _ int, _ time.Duration)   {}
func (normal) ended(*Request)                                                 {}

// proactive asks more than it needs.
type proactive struct {
	normal
	more int
}

func (s *proactive) begin(*Request, time.Duration) (avoid set, more int, trial set) {
	return 0, s.more, 0
}

// reactive asks for who is late.
type reactive struct {
	normal
	p *Policy
}

func (s *reactive) step(r *Request, now time.Duration) (without int) {
	if !r.late(now, s.p.options.ST) {
		return 0
	}
	return (r.out & r.first).len()
}

// late says whether who is out is later than st times the median, and sees to
// it that the request is woken when it will be.
func (r *Request) late(now time.Duration, st float64) bool {
	median, ok := r.median()
	if !ok {
		return false
	}
	deadline := r.begun + times(median, st)
	if now < deadline {
		r.wakeBy(deadline)
	}
	return now >= deadline
}

// wakeBy brings the next wake forward.
func (r *Request) wakeBy(at time.Duration) {
	if r.wake == 0 || at < r.wake {
		r.wake = at
	}
}

// times is a multiple of a duration, and at most a century, which is for ever.
func times(d time.Duration, by float64) time.Duration {
	const century = 100 * 365 * 24 * time.Hour
	return time.Duration(min(float64(d)*by, float64(century)))
}
