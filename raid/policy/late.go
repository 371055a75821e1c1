package policy

import "time"

// median returns the median of the latencies of the members asked first, of an even number the
// lower median. If two of four members are slow, the mean of the two middle latencies would be slow
// too, and would hide the slow members. The median is fixed when half of the members have answered.
func (r *Request) median() (time.Duration, bool) {
	if r.small() || len(r.times) <= r.middle() {
		return 0, false
	}
	return max(r.times[r.middle()], 1), true
}

// middle returns the index of the median in the latencies of the members asked first.
func (r *Request) middle() int { return (r.first.len() - 1) / 2 }

// small reports whether the request read too few members for a median. The usual latency of reads
// of its size replaces it.
func (r *Request) small() bool { return r.first.len() < 3 }

// learn adds a latency to the usual latencies of reads of this size: the median of the request, or
// every answer of a small request. Answers of members that replace a late member count too, because
// otherwise a small request may read only the late member.
func (r *Request) learn(member int, took time.Duration) {
	if r.small() {
		r.p.usual.add(r.bytes, took)
		return
	}
	if median, ok := r.median(); ok && r.fixes(member) {
		r.p.usual.add(r.bytes, median)
	}
}

// fixes reports whether the answer of a member, the last answer so far, fixed the median.
func (r *Request) fixes(member int) bool {
	return r.first.has(member) && len(r.times) == r.middle()+1
}

// late returns the members that have not answered within st times the median latency. Members
// that replace a late member can be late too. The request is woken when the next member will be
// late.
func (r *Request) late(now time.Duration, st float64) (late set) {
	after, ok := r.allowed(st)
	if !ok {
		return 0
	}
	for m := range r.out.members() {
		if deadline := r.asked[m] + after; now < deadline {
			r.wakeBy(deadline)
		} else {
			late |= one(m)
		}
	}
	return late
}

// allowed returns how long a member may take to answer; false: not known yet. Without a median, a
// slow member cannot be distinguished from a busy array. But if the request can do without all
// members that have not answered, they may take st times the usual latency, or st times the latency
// of the last answer if that is larger, because the median cannot be less.
func (r *Request) allowed(st float64) (time.Duration, bool) {
	if median, ok := r.median(); ok {
		return times(median, st), true
	}
	if (r.out & r.first).len() > r.mostWithout() {
		return 0, false
	}
	usual, last := r.p.usual.median(r.bytes), time.Duration(0)
	if n := len(r.times); n > 0 {
		last = r.times[n-1]
	}
	if usual == 0 {
		return max(r.p.options.Patience, times(last, st)), true
	}
	return times(max(usual, last), st), true
}

// wakeBy sets the next wake to at, unless it is already earlier.
func (r *Request) wakeBy(at time.Duration) {
	if r.wake == 0 || at < r.wake {
		r.wake = at
	}
}

// times returns d multiplied by a factor, at most a century, which means never.
func times(d time.Duration, by float64) time.Duration {
	const century = 100 * 365 * 24 * time.Hour
	return time.Duration(min(float64(d)*by, float64(century)))
}
