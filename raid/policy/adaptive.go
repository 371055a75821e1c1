package policy

import "time"

// adaptive is T16's: reactive, and proactive for who was late again and again.
type adaptive struct {
	judge
	limping *limping
}

func newAdaptive(p *Policy) *adaptive {
	l := &limping{o: &p.options, parity: p.parity, masks: &p.masks, streaks: make([]streak, p.data+p.parity)}
	return &adaptive{judge{reactive{p: p}, l}, l}
}

// begin asks more where a limping member is wanted and asked: one for it, and
// one for the other that limps, which may be the parity asked in its place. Who
// is not asked has been made up for.
func (s *adaptive) begin(r *Request, _ time.Duration) (avoid set, more int, trial set) {
	slow := (s.limping.slow | r.hedged) &^ r.lost &^ r.shun &^ r.masked
	if slow&r.want == 0 {
		return 0, 0, 0
	}
	return 0, slow.len(), 0
}

// limping is the record of adaptive. Who limps is read along with every
// request, so that each answer tells whether it still does.
type limping struct {
	o       *Options
	parity  int    // how many may be held to limp, with those that are masked
	masks   *masks // a member that sits out needs parity too
	streaks []streak
	slow    set
}

func (l *limping) out() set          { return l.slow }
func (l *limping) limit(int) float64 { return l.o.ST }
func (l *limping) prompt(member int) {
	l.slow &^= one(member)
	l.streaks[member] = streak{}
}

func (l *limping) late(member int, begun, now time.Duration) {
	s := &l.streaks[member]
	if s.late(begun, now); s.count >= l.o.SR && (l.slow|one(member)|l.masks.sitOut|l.masks.last).len() <= l.parity {
		l.slow |= one(member)
	}
}
