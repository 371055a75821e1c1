package arrays

import (
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// An Event is something that happens to the system for a while.
type Event struct {
	From, To time.Time
	Mechanism
}

func (e Event) lasts() Span { return Span{From: e.From, To: e.To} }

// A Mechanism is how an event makes parts of the system work otherwise.
type Mechanism interface {
	// describe says what it is, without times and attachments.
	describe() simulate.Fault
	// hits names what it hits: attachments, LUNs, servers, controllers, arrays.
	hits() []string
	// strike hits one attachment, or what lies behind it, for an interval
	// that begins so long after the event. It may come twice to one LUN.
	strike(a *Attachment, since time.Duration)
}

// aimed is an event with what it hits.
type aimed struct {
	Event
	hit    []*Attachment
	remote []*LUN  // that a server asks for through others
	by     *Server // that works for itself
}

func (e *aimed) strike(now, next time.Time) {
	if e.by != nil && e.by.Down(now, next) {
		return
	}
	since := max(0, now.Sub(e.From))
	for _, a := range e.hit {
		e.Mechanism.strike(a, since)
	}
	if work, ok := e.Mechanism.(ServerWork); ok {
		for _, l := range e.remote {
			l.Condition.Remote = work.Flow
		}
	}
}

// reroute sends a server's work through others where it has lost its own path.
// It comes after all events have struck.
func (e *aimed) reroute(now, next time.Time) {
	work, ok := e.Mechanism.(ServerWork)
	if !ok || !work.Everywhere || e.by.Down(now, next) {
		return
	}
	for _, a := range e.hit {
		if a.Gone || a.Unused {
			a.LUN.Condition.Remote = work.Flow
		}
	}
}

// heal undoes what the event did to an interval.
func (e *aimed) heal() {
	for _, a := range e.hit {
		a.Mend()
		a.LUN.Condition = healthy
	}
	for _, l := range e.remote {
		l.Condition = healthy
	}
}
