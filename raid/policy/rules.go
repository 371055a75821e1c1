package policy

import "time"

// normal waits for whom it asked.
type normal struct{}

func (normal) begin(*Request, time.Duration) (avoid set, more int, trial set) { return 0, 0, 0 }
func (normal) step(*Request, time.Duration) (without int)                     { return 0 }
func (normal) answered(_ *Request, _ time.Duration, _ int, _ time.Duration)   {}
func (normal) failed(_ *Request, _ time.Duration, _ int)                      {}
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
	return s.rescue(r, now, r.late(now, s.p.options.ST).len())
}

// rescue lets a request do without some. In a part of a stripe that takes the
// rest of it: where many requests are late at once, because the array is busy,
// to ask so much for each would keep it so. So few are let at a time.
func (s *reactive) rescue(r *Request, now time.Duration, without int) int {
	if r.rescued || r.cost(without) <= without {
		return without
	}
	if s.p.rescues >= s.p.options.Backlog {
		r.wakeBy(now + (now-r.begun)/4 + 1)
		return 0
	}
	r.rescued = true
	s.p.rescues++
	return without
}
