package policy

import "time"

// adaptive is the policy of T16: reactive, and proactive for members that were late several times
// in a row.
type adaptive struct {
	judge
	limping *limping
}

func newAdaptive(p *Policy) *adaptive {
	l := &limping{o: &p.options, parity: p.parity, masks: &p.masks, streaks: make([]streak, p.data+p.parity)}
	return &adaptive{judge{reactive{p: p}, l}, l}
}

// begin returns the number of reads to add. If the request wants a limping member, it is the number
// of limping members, because another limping member may be the parity member that is asked
// instead. Members that are lost, masked or shunned do not count: other members replace them
// already.
func (s *adaptive) begin(r *Request, _ time.Duration) (avoid set, more int, trial set) {
	slow := (s.limping.slow | r.hedged) &^ r.lost &^ r.shun &^ r.masked
	if slow&r.want == 0 {
		return 0, 0, 0
	}
	return 0, slow.len(), 0
}

// limping is adaptive's record of slow members. A limping member is still read in every request
// that wants it, so that each answer shows whether it still limps.
type limping struct {
	o       *Options
	parity  int    // largest number of limping and masked members
	masks   *masks // a masked member needs parity too
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
