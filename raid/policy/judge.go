package policy

import "time"

// judge is reactive, and keeps a record of who is late.
type judge struct {
	reactive
	record record
}

// A record is what a policy makes of members that are late again and again.
type record interface {
	// limit is how many times the median a member may take to be prompt.
	limit(member int) float64

	// late and prompt tell of a member that a request which began then relied
	// on, or tried.
	late(member int, begun, now time.Duration)
	prompt(member int)

	// out are those not to be relied on.
	out() set
}

func (s *judge) step(r *Request, now time.Duration) (without int) {
	return s.rescue(r, now, s.find(r, now).len())
}

// find are those who are late. Of those asked first each is put on record, once
// for a request; of who was asked later, what the others took says little.
func (s *judge) find(r *Request, now time.Duration) set {
	late := r.late(now, s.p.options.ST)
	for m := range (late & r.first &^ r.judged &^ r.masked).members() {
		s.record.late(m, r.begun, now)
	}
	r.judged |= late & r.first
	return late
}

// answered judges a member by its answer, unless it was found late before.
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

// prompt is whether a latency is within a multiple of the median. Who answers
// before that is known is prompt.
func (r *Request) prompt(took time.Duration, limit float64) bool {
	median, known := r.median()
	if r.small() {
		median = r.p.usual.median(r.bytes)
		known = median > 0
	}
	return !known || took <= times(median, limit)
}

func (s *judge) passedOver() set { return s.record.out() }

// streak is how many times in a row a member was late. Requests that overlap
// are one occasion: what waits behind a slow read is not slow again.
type streak struct {
	count int
	last  time.Duration // when it was last late
}

func (s *streak) late(begun, now time.Duration) {
	if s.count == 0 || begun >= s.last {
		s.count, s.last = s.count+1, now
	}
}
