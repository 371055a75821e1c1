package policy

import "time"

// median is that of the latencies of the members asked first, fixed once more
// than half of them have answered.
func (r *Request) median() (time.Duration, bool) {
	n := r.first.len()
	if r.small() || len(r.times) <= n/2 {
		return 0, false
	}
	m := r.times[n/2]
	if n%2 == 0 {
		m = (r.times[n/2-1] + m) / 2
	}
	return max(m, 1), true
}

// small is of a request that asked too few to have a median that says anything.
// What is usual for its size stands in.
func (r *Request) small() bool { return r.first.len() < 3 }

// learn tells what is usual. Small requests tell of all answers, also of those
// that were asked for a member that is late: it may be the only one that they
// ever ask otherwise.
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
	return r.first.has(member) && len(r.times) == r.first.len()/2+1
}

// late are those asked first who are out for longer than st times the median.
// Where there are none, the request is woken when there will be.
func (r *Request) late(now time.Duration, st float64) set {
	after, ok := r.allowed(st)
	switch deadline := r.begun + after; {
	case !ok:
	case now >= deadline:
		return r.out & r.first
	default:
		r.wakeBy(deadline)
	}
	return 0
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
