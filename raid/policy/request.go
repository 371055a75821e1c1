package policy

import (
	"time"
)

// A Do says what to do next for a request. Its slices hold until the next call
// for the request.
type Do struct {
	Read   []int         // members to ask now
	WakeAt time.Duration // when to call Wake unless a later Do says otherwise; 0: never

	Done    bool  // the request is over: all wanted chunks have come or can be computed
	Rebuild []int // wanted members whose chunks are to be computed from those that came

	Fail bool // the request is over: too many members are lost or failed
}

// A Request is a read of one or more chunks of each of some data members, at
// the same place on all of them.
type Request struct {
	p     *Policy
	begun time.Duration
	bytes int // asked of each member

	want, lost set // lost: not to be asked, because they are lost or have failed
	avoid      set // asked only where others are not enough: passed over
	masked     set // asked only where others fail or hang: a mask keeps reads away from them
	hedged     set // wanted, and a mask has one more asked beside each of them
	shun       set // asked only where they must be: they owe too much
	first      set // asked at the beginning
	out        set // asked, not answered
	came       set // answered with data
	judged     set // found prompt or late

	needed  int  // reads that normal would have made
	extra   int  // reads beyond that
	settled int  // of these, paid from hedge's budget or not to be
	rescued bool // asks for a stripe to do without one who is late
	stuck   bool // a member hangs, so that masked members may be asked in its place

	asked [maxMembers]time.Duration // when
	took  [maxMembers]time.Duration // how long, of those that came
	times []time.Duration           // of those of first that came, in their order, which is ascending

	over, released bool
	wake           time.Duration
	read, rebuild  []int
}

// Begin starts a read of the same bytes bytes of each of the data members in
// want, where members in lost cannot be asked. It panics on a member that the
// array does not have.
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

// plan asks the first members.
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

// countMasked counts extra reads that masks cost. No budget pays for them.
func (r *Request) countMasked(masked, probes int) {
	r.extra += masked + probes
	r.settled += masked + probes
	r.p.counters.Extra += uint64(masked + probes)
	r.p.counters.Masked += uint64(masked)
	r.p.counters.Probes += uint64(probes)
}

// count counts extra reads, which are made to do without some members.
func (r *Request) count(now time.Duration, extra int, without set) {
	r.extra += extra
	r.p.counters.Extra += uint64(extra)
	if without&r.p.hung(now) != 0 {
		r.settled += extra
		r.p.counters.Hung += uint64(extra)
	}
}

// enoughOf is how many must be asked where those in s are.
func (r *Request) enoughOf(s set) int {
	if r.want.within(s) {
		return s.len()
	}
	return r.p.data
}

// fill adds members to s until there are n, or no more: data before parity,
// since it needs no computing.
func (r *Request) fill(s set, n int) set {
	s = r.spare(s, n)
	left := r.p.all() &^ r.lost
	s |= (left & r.masked &^ r.shun &^ s).first(n - s.len())
	return s | (left &^ s).first(n-s.len())
}

// spare is fill without those to be shunned, and without those that are masked unless a
// member that was asked hangs.
func (r *Request) spare(s set, n int) set {
	left := r.usable() &^ s
	s |= (left &^ r.avoid &^ r.masked).first(n - s.len())
	s |= (left & r.avoid &^ s).first(n - s.len())
	return s | (left & r.masked &^ s).first(n-s.len())
}

// usable are the members that may be asked in place of a late one.
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

// Answer tells that a member's data has come, or that it could not be read.
// Every member that was asked answers once, also when the request is over; an
// answer to what was not asked is ignored.
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

// Wake tells that the time that a Do asked for has come. It may be called at
// any time and as often as one likes.
func (r *Request) Wake(now time.Duration) Do {
	r.read = r.read[:0]
	return r.settle(now)
}

// settle ends the request or says what else to ask.
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
		// Who was asked now is to be waited for, and may be late, too.
	}
	return Do{Read: r.read, WakeAt: r.wake}
}

// enough says whether all wanted chunks are there or can be computed.
func (r *Request) enough() bool {
	return r.want.within(r.came) || r.came.len() >= r.p.data
}

// possible says whether they can ever be.
func (r *Request) possible() bool {
	left := r.p.all() &^ r.lost
	return r.want.within(left) || left.len() >= r.p.data
}

// replace asks others where those that came and those that are out are not
// enough any more.
func (r *Request) replace(now time.Duration) {
	have := r.came | r.out
	more := r.fill(have, r.enoughOf(have)) &^ have
	r.needed += more.len()
	r.ask(now, more)
}

// hide asks as many as it takes to do without some of those that are out, and
// says whether that is anybody.
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

// cost is how many reads hide would make.
func (r *Request) cost(without int) int {
	if without == 0 {
		return 0
	}
	have := r.came | r.out
	return r.spare(have, r.p.data+without).len() - have.len()
}

// most is how many can be done without at most.
func (r *Request) most() int {
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

// Release gives the request up. It is used again for another read once all
// answers that it is owed have come, so only those may still be told to it.
func (r *Request) Release() {
	if !r.over {
		r.end()
	}
	r.released = true
	r.recycle()
}
