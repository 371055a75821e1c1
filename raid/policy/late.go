package policy

import "time"

// median is that of the latencies of the members asked first, the lower one of
// an even number: of four the mean of both would be slow with two of them, and
// these are what is to be hidden. It is fixed once half of them have answered.
func (r *Request) median() (time.Duration, bool) {
	if r.small() || len(r.times) <= r.middle() {
		return 0, false
	}
	return max(r.times[r.middle()], 1), true
}

// middle is where the median stands among the latencies of those asked first.
func (r *Request) middle() int { return (r.first.len() - 1) / 2 }

// small returns whether the request read too few members for a median. The usual latency
// of reads of its size replaces it.
func (r *Request) small() bool { return r.first.len() < 3 }

// learn adds a latency to the usual ones of reads of this size: the median of the request,
// or every answer of a small request. Answers in place of a late member count, too, as a
// small request may otherwise read only that member.
func (r *Request) learn(member int, took time.Duration) {
	if r.small() {
		r.p.usual.tell(r.bytes, took)
		return
	}
	if median, ok := r.median(); ok && r.fixes(member) {
		r.p.usual.tell(r.bytes, median)
	}
}

// fixes is whether a member, the last to answer, was the one to fix the median.
func (r *Request) fixes(member int) bool {
	return r.first.has(member) && len(r.times) == r.middle()+1
}

// late are those who are out for longer than st times the median, each from
// when it was asked: who stands in for another may hang too. The request is
// woken when the next will be.
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

// allowed is how long a member may take that is out. As long as the request has
// no median there is no telling a slow member from a busy array, unless those
// that are out are few enough to do without: then they may take st times what
// is usual or what the last to answer took, since the median cannot be less.
func (r *Request) allowed(st float64) (time.Duration, bool) {
	if median, ok := r.median(); ok {
		return times(median, st), true
	}
	if (r.out & r.first).len() > r.most() {
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
