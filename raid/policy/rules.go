package policy

import "time"

// normal reads the members that it needs and waits for all of them.
type normal struct{}

func (normal) begin(*Request, time.Duration) (avoid set, more int, trial set) { return 0, 0, 0 }
func (normal) step(*Request, time.Duration) (without int)                     { return 0 }
func (normal) answered(_ *Request, _ time.Duration, _ int, _ time.Duration)   {}
func (normal) failed(_ *Request, _ time.Duration, _ int)                      {}
func (normal) ended(*Request)                                                 {}

// proactive reads one or two members more than it needs.
type proactive struct {
	normal
	more int
}

func (s *proactive) begin(*Request, time.Duration) (avoid set, more int, trial set) {
	return 0, s.more, 0
}

// reactive reads a parity member in place of each member that is late.
type reactive struct {
	normal
	p *Policy
}

func (s *reactive) step(r *Request, now time.Duration) (without int) {
	return s.rescue(r, now, r.late(now, s.p.options.ST).len())
}

// rescue returns how many members the request does without. To do without a member, a read of a
// part of a stripe must read the rest of the stripe. If many requests are late because the array is
// busy, these reads would keep the array busy. So only Backlog requests do this at a time; the
// others try again later.
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
