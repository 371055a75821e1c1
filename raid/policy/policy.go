package policy

import (
	"fmt"
	"slices"
	"time"
)

// A Policy decides for all reads of an array. It is not safe for concurrent
// use, nor are its requests.
type Policy struct {
	options      Options
	data, parity int
	rule         rule
	out          []int           // answers that a member owes
	owed         []int           // of these, to requests that are over
	heard        []time.Duration // when a member that owes answers gave the last one, or got its first request
	usual        usual
	rescues      int // requests under way that read a whole stripe to do without a late member
	counters     Counters
	masks        masks
	free         []*Request
}

// A rule has the decisions in which policies differ.
type rule interface {
	// begin returns the members to pass over, as far as parity replaces them, the
	// number of reads beyond those needed, and the members to read in any case.
	begin(r *Request, now time.Duration) (avoid set, more int, trial set)

	// step runs after each event of a request that goes on. It returns how many of the
	// members that have not answered the request should be able to do without, and may
	// set r.wake.
	step(r *Request, now time.Duration) (without int)

	// answered takes the latency of an answer, also of one that comes after the
	// request was served.
	answered(r *Request, now time.Duration, member int, took time.Duration)

	// failed takes note of a member that could not be read.
	failed(r *Request, now time.Duration, member int)

	// ended runs once for every request that got its data.
	ended(r *Request)
}

// Counters count since the policy was made.
type Counters struct {
	Requests uint64
	Reads    uint64   // asked of members
	Extra    uint64   // of these, more than normal would have asked
	Hung     uint64   // of these, in place of members that hang, which no budget bounds
	Masked   uint64   // of Extra, because of masks, which no budget bounds
	Probes   uint64   // of Extra, probes of masked members, which no budget bounds
	Failed   uint64   // requests that could not be served
	Bypassed []uint64 // by member: requests that ended without its answer though it was wanted, neither lost nor failed
}

// New makes a policy for an array of data and parity members.
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

// Options are what the policy was made with.
func (p *Policy) Options() Options { return p.options }

// Counters are a copy.
func (p *Policy) Counters() Counters {
	c := p.counters
	c.Bypassed = slices.Clone(c.Bypassed)
	return c
}

// PassedOver lists the members that adaptive, sitout and hedge do not rely on
// at present, those on trial included.
func (p *Policy) PassedOver() []int {
	if rule, ok := p.rule.(interface{ passedOver() set }); ok {
		return rule.passedOver().append(nil)
	}
	return nil
}

// all are the members of the array.
func (p *Policy) all() set { return upTo(p.data + p.parity) }

// backlogged are those who owe too many answers. Normal knows no such thing.
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

// hung are those who were asked and have been silent for too long to be slow
// or busy.
func (p *Policy) hung(now time.Duration) set {
	var s set
	for m, out := range p.out {
		if out > 0 && now >= p.hangs(m) {
			s |= one(m)
		}
	}
	return s
}

// hangs is when a member that was asked is held to hang, if it stays silent.
func (p *Policy) hangs(member int) time.Duration { return p.heard[member] + p.options.Patience }
