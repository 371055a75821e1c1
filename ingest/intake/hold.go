package intake

import (
	"math"
	"slices"
	"time"
)

// While a store is behind, rows are held open: after a start of limpet, and
// after the store was unreachable. Servers are then read one after the other,
// and a row that closes early would lack the servers that are read later.
// Waiting always ends: for a store without progress, and for one server whose
// reads fail, after patience.

// patience is how long rows wait without progress: a Prometheus restarts in
// less time.
const patience = 5 * time.Minute

// behind is a tolerance: a store is behind if one of its servers was last read
// more than two intervals and this time ago.
const behind = 30 * time.Second

// leastLate is the shortest time that a scrape waits for the next one.
const leastLate = time.Minute

// Until returns the time after which no row may be closed yet: later rows lack
// servers that are still being read. The time is far in the future if no store
// is behind.
func (p *poller) Until() time.Time {
	now, least := p.now(), int64(math.MaxInt64)
	for _, s := range p.stores {
		s.mu.Lock()
		if at := s.readUntil(now); at < now.Add(-2*s.Interval-behind).UnixMilli() {
			least = min(least, at-max(s.Late, leastLate).Milliseconds()) // the last samples may not be in files yet
		}
		s.mu.Unlock()
	}
	return time.UnixMilli(least)
}

// readUntil returns the time, in ms, up to which all servers were read that
// rows wait for. The caller holds the lock.
func (s *storePoll) readUntil(now time.Time) int64 {
	s.lastProgress = earlier(s.lastProgress, now)
	if now.Sub(s.lastProgress) > patience {
		return math.MaxInt64
	}
	if s.listed.IsZero() {
		return 0 // the servers are not known yet
	}
	least := int64(math.MaxInt64)
	for _, sv := range s.servers {
		sv.failingSince = earlier(sv.failingSince, now)
		if isQuiet := sv.quiet > quietQuestions; !isQuiet && (sv.failingSince.IsZero() || now.Sub(sv.failingSince) <= patience) {
			least = min(least, sv.askedUntil)
		}
	}
	return least
}

// earlier returns the earlier of two times. After the clock was set back, a time
// in the future becomes now, so that patience ends.
func earlier(t, now time.Time) time.Time {
	if now.Before(t) {
		return now
	}
	return t
}

// answers records that the store has answered for a server. After a poll
// without any answer, rows wait for all servers again. The caller holds the
// lock.
func (s *storePoll) answers(sv *server, now time.Time) {
	if s.unreachable {
		for _, other := range s.servers {
			other.failingSince = time.Time{}
		}
	}
	s.unreachable, s.lastProgress, sv.failingSince, sv.lastFailure = false, now, time.Time{}, time.Time{}
}

// fails records that the read of a server failed.
func (s *storePoll) fails(sv *server, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sv.lastFailure = now; sv.failingSince.IsZero() {
		sv.failingSince = now
	}
}

// goodFirst sorts servers: first those whose last read succeeded, then the
// others, those with the oldest attempt first.
func goodFirst(list []*serverRead) {
	slices.SortStableFunc(list, func(a, b *serverRead) int { return a.sv.lastFailure.Compare(b.sv.lastFailure) })
}
