package policy

import "time"

// judge is reactive, and records late members.
type judge struct {
	reactive
	record record
}

// A record decides which members a policy does not rely on, because they were late several times in
// a row.
type record interface {
	// limit returns the number of medians within which an answer of a member is prompt.
	limit(member int) float64

	// late and prompt record a member that was asked first. begun is the time at which the request
	// began.
	late(member int, begun, now time.Duration)
	prompt(member int)

	// out returns the members that the policy does not rely on.
	out() set
}

func (s *judge) step(r *Request, now time.Duration) (without int) {
	return s.rescue(r, now, s.find(r, now).len())
}

// find returns the late members. It records the late members that were asked first, each once for a
// request. It does not record members that were asked later, because they cannot be compared with
// the median of the first.
func (s *judge) find(r *Request, now time.Duration) set {
	late := r.late(now, s.p.options.ST)
	for m := range (late & r.first &^ r.judged &^ r.masked).members() {
		s.record.late(m, r.begun, now)
	}
	r.judged |= late & r.first
	return late
}

// answered records a member as prompt or late by its answer, unless the request has recorded it
// before.
func (s *judge) answered(r *Request, now time.Duration, member int, took time.Duration) {
	if !r.first.has(member) || r.judged.has(member) || r.masked.has(member) {
		return
	}
	r.judged |= one(member)
	if r.prompt(took, s.record.limit(member)) {
		s.record.prompt(member)
	} else {
		s.record.late(member, r.begun, now)
	}
}

// prompt reports whether a latency is within limit medians. An answer that comes before the median
// is known is prompt.
func (r *Request) prompt(took time.Duration, limit float64) bool {
	median, known := r.median()
	if r.small() {
		median = r.p.usual.median(r.bytes)
		known = median > 0
	}
	return !known || took <= times(median, limit)
}

func (s *judge) passedOver() set { return s.record.out() }

// streak counts how many times in a row a member was late. Overlapping requests count once, because
// a read that waits behind a slow read is not slow again.
type streak struct {
	count int
	last  time.Duration // time of the last late answer
}

func (s *streak) late(begun, now time.Duration) {
	if s.count == 0 || begun >= s.last {
		s.count, s.last = s.count+1, now
	}
}
