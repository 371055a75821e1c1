package arrays

import (
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// An Event is a mechanism that changes the system for some time.
type Event struct {
	From, To time.Time
	Mechanism
}

func (e Event) lasts() Span { return Span{From: e.From, To: e.To} }

// A Mechanism changes how parts of the system work during an event.
type Mechanism interface {
	// describe returns the kind, the component and a text, without times and attachments.
	describe() simulate.Fault
	// hits returns the names of attachments, LUNs, servers, controllers and arrays that it hits.
	hits() []string
	// strike applies the event to one attachment, or to its LUN, for an interval. The interval
	// begins since after the event. strike may be called twice for one LUN.
	strike(a *Attachment, since time.Duration)
}

// aimed is an event with the parts that it hits.
type aimed struct {
	Event
	hit    []*Attachment
	remote []*LUN  // LUNs that a server reads through other servers
	by     *Server // the server, if the event is its own work
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

// reroute sends a server's own work through other servers if the server has lost its path. Call it
// after all events have struck.
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

// heal undoes the effects of the event after an interval.
func (e *aimed) heal() {
	for _, a := range e.hit {
		a.Mend()
		a.LUN.Condition = healthy
	}
	for _, l := range e.remote {
		l.Condition = healthy
	}
}
