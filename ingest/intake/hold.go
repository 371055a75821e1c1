package intake

import (
	"math"
	"slices"
	"time"
)

// patience is the longest time for which rows stay open because of a store that makes no progress
// (see ClosableUntil). A restart of Prometheus takes less time.
const patience = 5 * time.Minute

// A store is behind if the last read of one of its servers is older than 2 poll intervals +
// behindAfter. Rows then stay open (see ClosableUntil).
const behindAfter = 30 * time.Second

// leastLate is the shortest time that ClosableUntil subtracts from the time up to which a store was
// read. The newest samples may not be in files yet. The samples of a scrape are written after the late
// series of the scrape have arrived.
const leastLate = time.Minute

// ClosableUntil returns the time up to which rows may be closed. A closed row takes no more data,
// and the diagnosis gets it. If no store is behind, this time is far in the future.
//
// A store is behind if limpet has not yet read the newest samples of the store. This happens after a
// start of limpet, and after the store was unreachable. limpet then reads the servers of the store one
// after the other. A row that closes too early would lack the servers that are read later. If a store
// makes no progress, or if the reads of a server fail, rows wait at most for the time in the constant
// patience.
func (p *poller) ClosableUntil() time.Time {
	now, least := p.now(), int64(math.MaxInt64)
	for _, s := range p.stores {
		s.mu.Lock()
		if at := s.readUntil(now); at < now.Add(-2*s.Interval-behindAfter).UnixMilli() {
			least = min(least, at-max(s.Late, leastLate).Milliseconds()) // the last samples may not be in files yet
		}
		s.mu.Unlock()
	}
	return time.UnixMilli(least)
}

// readUntil returns the time, in ms, up to which the store was read for all
// servers that rows wait for. It returns math.MaxInt64 if rows wait for no
// server of the store. The caller must hold s.mu.
func (s *storePoll) readUntil(now time.Time) int64 {
	s.lastProgress = notInFuture(s.lastProgress, now)
	if now.Sub(s.lastProgress) > patience {
		return math.MaxInt64
	}
	if s.listed.IsZero() {
		return 0 // no row may be closed before the servers are known
	}
	least := int64(math.MaxInt64)
	for _, sv := range s.servers {
		sv.failingSince = notInFuture(sv.failingSince, now)
		if isQuiet := sv.quiet > quietPolls; !isQuiet && (sv.failingSince.IsZero() || now.Sub(sv.failingSince) <= patience) {
			least = min(least, sv.askedUntil)
		}
	}
	return least
}

// notInFuture returns t, or the present time if t is in the future. A stored time is in the future
// after the clock was set back. Without this correction, rows would wait longer than the constant
// patience.
func notInFuture(t, now time.Time) time.Time {
	if now.Before(t) {
		return now
	}
	return t
}

// recordAnswer records that the store has answered for a server. If the previous poll had no answer
// at all, rows wait for all servers of the store again. The caller must hold s.mu.
func (s *storePoll) recordAnswer(sv *server, now time.Time) {
	if s.unreachable {
		for _, other := range s.servers {
			other.failingSince = time.Time{}
		}
	}
	s.unreachable, s.lastProgress, sv.failingSince, sv.lastFailure = false, now, time.Time{}, time.Time{}
}

// recordFailure records the time of a failed read of a server.
func (s *storePoll) recordFailure(sv *server, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sv.lastFailure = now; sv.failingSince.IsZero() {
		sv.failingSince = now
	}
}

// goodFirst sorts servers. The servers whose last read succeeded come first.
// The other servers follow, sorted by the time of their last failed read.
func goodFirst(list []*serverRead) {
	slices.SortStableFunc(list, func(a, b *serverRead) int { return a.sv.lastFailure.Compare(b.sv.lastFailure) })
}
