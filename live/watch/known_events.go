package watch

import (
	"context"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
)

// knownEvents recognises events that the engine makes a second time. This happens if the journal has
// lost records, and rows are read from their sources again. The ledger already has these events. So
// these events get no new number, and are not written or sent again. A known event cannot be
// recognised by its number. If some rows cannot be read again, the engine makes other events, and
// the same event may get another number.
type knownEvents struct {
	knownRange
	counts map[toldEvent]int       // by event: how often the event is still expected
	spans  map[string][]openPeriod // by incident ID: periods in which the incident was open, according to the ledger
	last   int64                   // events after this time are new
}

// knownRange selects the events that the engine may make a second time. Each snapshot contains the
// range, so that after a kill the next process recognises the same events.
type knownRange struct {
	After int64 `json:"after"` // number of the last event that the restored engine has made
	UpTo  int64 `json:"up_to"` // number of the last event in the ledger at the time of the loss
	// Anew means that the engine has begun without its state. The engine may then find an incident
	// earlier or later than before the loss. Until is the Unix time up to which the ledger has the
	// results of all rows. An event up to this time is known if its incident was open at the time
	// of the event, according to the ledger. When all rows have been read, the open incidents in
	// the ledger are compared with the open incidents of the engine (Watch.tick).
	Anew  bool  `json:"anew,omitempty"`
	Until int64 `json:"until,omitempty"`
}

type toldEvent struct {
	id     string
	time   int64
	change incident.Change
}

// openPeriod is a period in which an incident was open, in Unix times. If the incident was still
// open at the last event, openPeriod.to is 0.
type openPeriod struct{ from, to int64 }

// newKnownEvents reads the events of a range from the ledger. It returns nil if the range has no
// events.
func newKnownEvents(l *ledger.Ledger, r knownRange) (*knownEvents, error) {
	list, err := l.EventSummaries(context.Background(), r.After, r.UpTo)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	t := &knownEvents{knownRange: r, counts: map[toldEvent]int{}, spans: map[string][]openPeriod{}, last: r.Until}
	for i := range list {
		e := &list[i]
		t.last = max(t.last, e.Time)
		t.counts[toldEvent{e.Incident.ID, e.Time, e.Change}]++
		t.extend(e)
	}
	return t, nil
}

// extend updates the periods of an incident with an event of the incident. The event begins or ends a
// period.
func (t *knownEvents) extend(e *ledger.EventSummary) {
	spans := t.spans[e.Incident.ID]
	n := len(spans)
	isOpen := n > 0 && spans[n-1].to == 0
	switch isOver := e.Incident.Phase == incident.Cleared; {
	case isOver && isOpen:
		spans[n-1].to = e.Time
	case !isOver && !isOpen && n == 0:
		spans = append(spans, openPeriod{from: min(int64(e.Incident.Onset.At), e.Time)})
	case !isOver && !isOpen:
		spans = append(spans, openPeriod{from: e.Time})
	}
	t.spans[e.Incident.ID] = spans
}

// has reports whether the ledger already has an event.
func (t *knownEvents) has(e *incident.Event) bool {
	if t == nil {
		return false
	}
	key := toldEvent{e.Incident.ID, e.Time, e.Change}
	if t.counts[key] > 0 {
		t.counts[key]--
		return true
	}
	if !t.Anew || e.Time > t.Until {
		return false
	}
	for _, s := range t.spans[e.Incident.ID] {
		if e.Time >= s.from && (s.to == 0 || e.Time <= s.to) {
			return true
		}
	}
	return false
}

// knownUntil returns the time of the last row whose results are in the ledger or in the history. It
// ignores events that commands may have caused, because the time of a command is not the time of a
// row.
func (w *Watch) knownUntil(upTo int64) (until int64, err error) {
	err = w.store.Ledger.Step(context.Background(), func(tx *ledger.Tx) (err error) { until, err = tx.RowTime(); return err })
	if err != nil {
		return 0, err
	}
	list, err := w.store.Ledger.EventSummaries(context.Background(), 0, upTo)
	for i := range list {
		switch list[i].Change {
		case incident.Opened, incident.Changed, incident.Recovers, incident.Reopened:
			until = max(until, list[i].Time)
		}
	}
	return max(until, w.store.History.Span().Steps.To), err
}
