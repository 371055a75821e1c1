package intake

import (
	"math"
	"slices"
	"time"
)

// While a store is behind, rows are held open: when limpet begins, and when the store was
// away. Servers are read one after the other then, and rows would be closed without those
// whose turn comes later. Nobody is waited for for ever: not for a store that does not get
// on, and not for one server that cannot be read while others can.

// patience is how long rows wait for what does not get on: to start a Prometheus again
// takes less.
const patience = 5 * time.Minute

// A server that was read so long ago, beyond two intervals, is behind.
const behind = 30 * time.Second

// leastLate is how long a scrape waits for the next one, at least.
const leastLate = time.Minute

// Until is the time after which no row may be closed yet: later rows still lack servers
// that are being read. It is far ahead where no store is behind.
func (p *poller) Until() time.Time {
	now, least := p.now(), int64(math.MaxInt64)
	for _, s := range p.stores {
		s.mu.Lock()
		if at := s.readUntil(now); at < now.Add(-2*s.Interval-behind).UnixMilli() {
			least = min(least, at-max(s.Late, leastLate).Milliseconds()) // what was read last may not be written yet
		}
		s.mu.Unlock()
	}
	return time.UnixMilli(least)
}

// readUntil is the time, ms, that all servers were read up to that are waited for. The
// caller holds the lock.
func (s *polled) readUntil(now time.Time) int64 {
	if now.Sub(s.moved) > patience {
		return math.MaxInt64
	}
	if s.listed.IsZero() {
		return 0 // nobody knows which there are
	}
	least := int64(math.MaxInt64)
	for _, sv := range s.servers {
		if isQuiet := sv.quiet > quietQuestions; !isQuiet && (sv.failing.IsZero() || now.Sub(sv.failing) <= patience) {
			least = min(least, sv.at)
		}
	}
	return least
}

// answers notes that the store has told something of a server. Where it had told nothing
// of anybody, all are waited for again. The caller holds the lock.
func (s *polled) answers(sv *server, now time.Time) {
	if s.away {
		for _, other := range s.servers {
			other.failing = time.Time{}
		}
	}
	s.away, s.moved, sv.failing, sv.tried = false, now, time.Time{}, time.Time{}
}

// fails notes that a server could not be read.
func (s *polled) fails(sv *server, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sv.tried = now; sv.failing.IsZero() {
		sv.failing = now
	}
}

// goodFirst puts servers that could be read before those that could not, of which the one
// comes first that was not tried for the longest time.
func goodFirst(list []*reading) {
	slices.SortStableFunc(list, func(a, b *reading) int { return a.sv.tried.Compare(b.sv.tried) })
}
