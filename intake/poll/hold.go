package poll

import (
	"math"
	"time"
)

// patience is how long rows wait for a store that is behind and does not get on: to start
// a Prometheus again takes less.
const patience = 5 * time.Minute

// A hold keeps rows open while a store is behind: when limpet begins, and when the store
// was away. Servers are read one after the other then, and rows would be closed without
// those whose turn comes later.
type hold struct {
	until int64     // ms; all servers were read so far
	since time.Time // when that last went on, or the store came back
	away  bool      // the store did not answer
	over  bool      // all servers were read up to the time of the question
}

// reach says that all servers were read up to a time.
func (h *hold) reach(until int64, now time.Time) {
	if until > h.until {
		h.until, h.since = until, now
	}
}

// answers says that the store answers.
func (h *hold) answers(now time.Time) {
	if h.away {
		h.away, h.since = false, now
	}
}

// holds says up to when rows may be closed at a time, ms.
func (h *hold) holds(now time.Time) int64 {
	if h.over || now.Sub(h.since) > patience {
		return math.MaxInt64
	}
	return h.until
}

// Until is the time up to which rows may be closed: servers that a store is still asked
// for are a part of later ones. It is far ahead where nobody is waited for. What was
// handed on last may not be written yet: as long as a series may be late is left for that.
func (p *Poller) Until() time.Time {
	now, least := p.now(), int64(math.MaxInt64)
	for _, s := range p.stores {
		s.mu.Lock()
		if at := s.hold.holds(now); at < math.MaxInt64 {
			least = min(least, at-max(s.Late, leastLate).Milliseconds())
		}
		s.mu.Unlock()
	}
	return time.UnixMilli(least)
}

// leastLate is how long a scrape waits for the next one, at least.
const leastLate = time.Minute
