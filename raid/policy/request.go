package policy

import (
	"time"
)

// A Do is the next action of a request. Its slices are valid until the next call for the request.
type Do struct {
	Read   []int         // members to ask now
	WakeAt time.Duration // time of the next Wake, unless a later Do changes it; 0: never

	Done    bool  // the request is over: all wanted chunks have come or can be computed
	Rebuild []int // wanted members whose chunks must be computed from the chunks that came

	Fail bool // the request is over: too many members are lost or failed
}

// A Request is a read of one or more chunks of each of some data members, at the same offset.
type Request struct {
	p     *Policy
	begun time.Duration
	bytes int // bytes to read from each member

	want, lost set // lost: cannot be asked, because they are lost or have failed
	avoid      set // passed over by the policy: asked only if other members are not enough
	masked     set // masked: asked only if other members fail or hang
	hedged     set // wanted members with MaskHedge: one extra member is asked for each
	shun       set // members that owe too many answers: asked only if there is no other way
	first      set // asked at the beginning
	out        set // asked, and not answered yet
	came       set // answered with data
	judged     set // recorded as prompt or late

	needed  int  // reads that normal would have made
	extra   int  // reads beyond the needed reads
	settled int  // extra reads that hedge's budget has paid or need not pay
	rescued bool // reads the whole stripe to do without a late member
	stuck   bool // a member hangs, so masked members may be asked in its place

	asked [maxMembers]time.Duration // by member: time of the read
	took  [maxMembers]time.Duration // by member: latency of its answer
	times []time.Duration           // latencies of the members in first, in order of arrival, so ascending

	over, released bool
	wake           time.Duration
	read, rebuild  []int
}

// Begin starts a read of each of the data members in want, of as many bytes as the parameter bytes.
// Members in lost cannot be asked. Begin panics if the array does not have a member.
func (p *Policy) Begin(now time.Duration, want, lost []int, bytes int) (*Request, Do) {
	r := p.take()
	r.begun, r.bytes = now, bytes
	r.want, r.lost = setOf(want, p.data), setOf(lost, p.data+p.parity)
	p.counters.Requests++
	if r.enough() || !r.possible() {
		return r, r.settle(now)
	}
	r.needed = r.fill(r.want&^r.lost, r.enoughOf(r.want&^r.lost)).len()
	r.plan(now)
	return r, r.settle(now)
}

// plan chooses and asks the first members.
func (r *Request) plan(now time.Duration) {
	ofMasks := r.mask()
	r.shun = r.p.backlogged()
	avoid, more, trial := r.p.rule.begin(r, now)
	r.avoid = avoid &^ r.masked
	relied := r.want &^ r.lost &^ r.avoid &^ r.masked &^ r.shun
	first := r.fill(relied, r.enoughOf(relied))
	if more = max(more, (r.hedged & first).len()); more > 0 {
		first = r.spare(first, r.p.data+more)
	}
	first |= trial &^ r.lost &^ r.masked
	probes := r.probes(now, first)
	r.first = first | probes
	r.ask(now, r.first)
	extra := max(0, first.len()-r.needed)
	ofMasks = min(ofMasks, extra)
	r.countMasked(ofMasks, probes.len())
	r.count(now, extra-ofMasks, (r.avoid|r.shun)&r.want)
}

// countMasked counts the extra reads of masks. No budget pays for them.
func (r *Request) countMasked(masked, probes int) {
	r.extra += masked + probes
	r.settled += masked + probes
	r.p.counters.Extra += uint64(masked + probes)
	r.p.counters.Masked += uint64(masked)
	r.p.counters.Probes += uint64(probes)
}

// count counts extra reads that let a request do without the members in without.
func (r *Request) count(now time.Duration, extra int, without set) {
	r.extra += extra
	r.p.counters.Extra += uint64(extra)
	if without&r.p.hung(now) != 0 {
		r.settled += extra
		r.p.counters.Hung += uint64(extra)
	}
}

// enoughOf returns how many members must be asked in all if the members in s are asked.
func (r *Request) enoughOf(s set) int {
	if r.want.within(s) {
		return s.len()
	}
	return r.p.data
}

// fill adds members to s until s has n members, or none is left. It adds data members before parity
// members, because they need no computation.
func (r *Request) fill(s set, n int) set {
	s = r.spare(s, n)
	left := r.p.all() &^ r.lost
	s |= (left & r.masked &^ r.shun &^ s).first(n - s.len())
	return s | (left &^ s).first(n-s.len())
}

// spare is like fill, but does not add members in shun, and adds masked members only if a member
// that was asked hangs.
func (r *Request) spare(s set, n int) set {
	left := r.usable() &^ s
	s |= (left &^ r.avoid &^ r.masked).first(n - s.len())
	s |= (left & r.avoid &^ s).first(n - s.len())
	return s | (left & r.masked &^ s).first(n-s.len())
}

// usable returns the members that may be asked in place of a late member.
func (r *Request) usable() set {
	s := r.p.all() &^ r.lost &^ r.shun
	if !r.stuck {
		s &^= r.masked
	}
	return s
}

func (r *Request) ask(now time.Duration, s set) {
	for m := range s.members() {
		r.asked[m] = now
		if r.p.out[m] == 0 {
			r.p.heard[m] = now
		}
		r.p.out[m]++
		r.read = append(r.read, m)
	}
	r.out |= s
	r.p.counters.Reads += uint64(s.len())
}

// Answer passes the answer of a member: its data have come, or it could not be read. Every member
// that was asked answers once, even after the request is over. An answer of a member that was not
// asked is ignored.
func (r *Request) Answer(now time.Duration, member int, failed bool) Do {
	if member < 0 || member >= maxMembers || !r.out.has(member) {
		return Do{WakeAt: r.wake}
	}
	r.read = r.read[:0]
	r.out &^= one(member)
	r.p.out[member]--
	r.p.heard[member] = now
	if r.over {
		r.p.owed[member]--
	}
	if failed {
		r.lost |= one(member)
		r.watchFailure(now, member)
		r.p.rule.failed(r, now, member)
	} else {
		r.came |= one(member)
		r.note(now, member)
	}
	do := r.settle(now)
	r.recycle()
	return do
}

func (r *Request) note(now time.Duration, member int) {
	took := now - r.asked[member]
	r.took[member] = took
	if r.first.has(member) {
		r.times = append(r.times, took)
	}
	r.learn(member, took)
	r.watch(now, member)
	r.p.rule.answered(r, now, member, took)
}

// Wake must be called at Do.WakeAt. It may be called at any other time too, any number of times.
func (r *Request) Wake(now time.Duration) Do {
	r.read = r.read[:0]
	return r.settle(now)
}

// settle ends the request, or returns the members to ask next.
func (r *Request) settle(now time.Duration) Do {
	r.wake = 0
	switch {
	case r.over:
		return Do{}
	case r.enough():
		return r.finish()
	case !r.possible():
		r.end()
		r.p.counters.Failed++
		return Do{Fail: true}
	}
	r.replace(now)
	r.findStuck(now)
	for r.hide(now, r.p.rule.step(r, now)) {
		// Go on with the members that were asked just now: they may be late too.
	}
	return Do{Read: r.read, WakeAt: r.wake}
}

// enough reports whether all wanted chunks have come or can be computed.
func (r *Request) enough() bool {
	return r.want.within(r.came) || r.came.len() >= r.p.data
}

// possible reports whether enough chunks can still come.
func (r *Request) possible() bool {
	left := r.p.all() &^ r.lost
	return r.want.within(left) || left.len() >= r.p.data
}

// replace asks other members if the members that answered and the members that have not answered
// yet are not enough any more.
func (r *Request) replace(now time.Duration) {
	have := r.came | r.out
	more := r.fill(have, r.enoughOf(have)) &^ have
	r.needed += more.len()
	r.ask(now, more)
}

// hide asks enough members to do without some of the members that have not answered, and reports
// whether it asked any.
func (r *Request) hide(now time.Duration, without int) bool {
	if without == 0 {
		return false
	}
	have := r.came | r.out
	more := r.spare(have, r.p.data+without) &^ have
	r.count(now, more.len(), r.out)
	r.ask(now, more)
	return more != 0
}

// cost returns the number of reads that hide would make.
func (r *Request) cost(without int) int {
	if without == 0 {
		return 0
	}
	have := r.came | r.out
	return r.spare(have, r.p.data+without).len() - have.len()
}

// mostWithout returns the largest number of members that the request can do without.
func (r *Request) mostWithout() int {
	return (r.usable() | r.came | r.out).len() - r.p.data
}

func (r *Request) finish() Do {
	missing := r.want &^ r.came
	for m := range (missing &^ r.lost).members() {
		r.p.counters.Bypassed[m]++
	}
	r.end()
	r.p.rule.ended(r)
	r.rebuild = missing.append(r.rebuild[:0])
	return Do{Done: true, Rebuild: r.rebuild}
}

func (r *Request) end() {
	r.over = true
	if r.rescued {
		r.p.rescues--
	}
	for m := range r.out.members() {
		r.p.owed[m]++
	}
}

// Release ends the use of the request. After Release, only Answer may be called, for the answers
// that are still due. After the last answer, the request is used again for another read.
func (r *Request) Release() {
	if !r.over {
		r.end()
	}
	r.released = true
	r.recycle()
}
