package policy

import (
	"fmt"
	"slices"
	"time"
)

// A Policy decides for all reads of an array. A policy and its requests are not safe for concurrent
// use.
type Policy struct {
	options      Options
	data, parity int
	rule         rule
	out          []int           // by member: answers that it owes
	owed         []int           // by member: answers that it owes to requests that are over
	heard        []time.Duration // by member: time of its last answer, or of the first read since it owed none
	usual        usual
	rescues      int // requests in flight that read a whole stripe to do without a late member
	counters     Counters
	masks        masks
	free         []*Request
}

// A rule makes the decisions in which policies differ.
type rule interface {
	// begin returns the members to pass over, as far as parity replaces them, the number of reads
	// beyond the needed reads, and the members to read in any case.
	begin(r *Request, now time.Duration) (avoid set, more int, trial set)

	// step runs after each event of a request that goes on. It returns the number of unanswered
	// members that the request should be able to do without. It may set r.wake.
	step(r *Request, now time.Duration) (without int)

	// answered records the latency of an answer, even if the answer comes after the request was
	// served.
	answered(r *Request, now time.Duration, member int, took time.Duration)

	// failed records a failed read of a member.
	failed(r *Request, now time.Duration, member int)

	// ended runs once for every request that got its data.
	ended(r *Request)
}

// Counters counts events since the policy was made.
type Counters struct {
	Requests uint64
	Reads    uint64   // reads sent to members
	Extra    uint64   // reads beyond the reads that normal would have made
	Hung     uint64   // extra reads in place of members that hang; no budget limits them
	Masked   uint64   // extra reads because of masks; no budget limits them
	Probes   uint64   // extra reads that probe masked members; no budget limits them
	Failed   uint64   // requests that could not be served
	Bypassed []uint64 // by member: requests that ended without its answer, though wanted, not lost, not failed
}

// New returns a policy for an array of data and parity members.
func New(o Options, data, parity int) (*Policy, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if data < 1 || parity < 0 || data+parity > maxMembers {
		return nil, fmt.Errorf("policy %s cannot be used with %d data members and %d parity members: give 1 or more data members, and at most %d members in all", o.Kind, data, parity, maxMembers)
	}
	n := data + parity
	p := &Policy{options: o, data: data, parity: parity, out: make([]int, n), owed: make([]int, n), heard: make([]time.Duration, n)}
	p.counters.Bypassed = make([]uint64, n)
	p.rule = p.newRule()
	return p, nil
}

func (p *Policy) newRule() rule {
	switch p.options.Kind {
	case Reactive:
		return &reactive{p: p}
	case Proactive1:
		return &proactive{more: 1}
	case Proactive2:
		return &proactive{more: 2}
	case Adaptive:
		return newAdaptive(p)
	case Sitout:
		return newSitout(p)
	case Hedge:
		return newHedge(p)
	}
	return normal{}
}

// Options returns the options of the policy.
func (p *Policy) Options() Options { return p.options }

// Counters returns a copy of the counters.
func (p *Policy) Counters() Counters {
	c := p.counters
	c.Bypassed = slices.Clone(c.Bypassed)
	return c
}

// PassedOver returns the members that adaptive, sitout and hedge do not rely on at present, with
// the members on trial.
func (p *Policy) PassedOver() []int {
	if rule, ok := p.rule.(interface{ passedOver() set }); ok {
		return rule.passedOver().append(nil)
	}
	return nil
}

// all returns all members of the array.
func (p *Policy) all() set { return upTo(p.data + p.parity) }

// backlogged returns the members that owe too many answers. With the policy normal there are none.
func (p *Policy) backlogged() set {
	var s set
	if p.options.Kind == Normal {
		return s
	}
	for m, owed := range p.owed {
		if owed >= p.options.Backlog {
			s |= one(m)
		}
	}
	return s
}

// hung returns the members that owe answers and have been silent for Patience. A member that is
// only slow or busy answers earlier.
func (p *Policy) hung(now time.Duration) set {
	var s set
	for m, out := range p.out {
		if out > 0 && now >= p.hangs(m) {
			s |= one(m)
		}
	}
	return s
}

// hangs returns the time from which a member that stays silent counts as hanging.
func (p *Policy) hangs(member int) time.Duration { return p.heard[member] + p.options.Patience }
