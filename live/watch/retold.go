package watch

import (
	"context"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
)

// retold recognises the events that the engine makes a second time, because rows are read from
// their sources again after a loss. The ledger has these events already, so that they get no number
// and are not written or sent again. After a loss, numbers of events are no sign: if some rows
// cannot be read again, the engine makes other events.
type retold struct {
	retoldRange
	counts map[toldEvent]int       // events that are expected again
	spans  map[string][]toldPeriod // by the ID of an incident: periods in which the ledger has it as open
	last   int64                   // time of the last event that is expected again
}

// retoldRange selects the events. A snapshot contains it, so that a killed process recognises the
// same events as the process before it.
type retoldRange struct {
	After int64 `json:"after"` // number of the last event that the restored engine has made
	UpTo  int64 `json:"up_to"` // number of the last event in the ledger at the time of the loss
	// Anew means that the engine has lost its state. It may then find an incident of the ledger at
	// another time than before. Up to the time Until, which the ledger has results for, all events of
	// an incident that the ledger has as open count as told. When all rows have been read, the open
	// incidents of the ledger are compared with those of the engine (Watch.tick).
	Anew  bool  `json:"anew,omitempty"`
	Until int64 `json:"until,omitempty"`
}

type toldEvent struct {
	id     string
	time   int64
	change incident.Change
}

// toldPeriod is a period in which an incident was open. If it was open at the end, to is 0.
type toldPeriod struct{ from, to int64 }

// newRetold reads the events of a range from the ledger.
func newRetold(l *ledger.Ledger, r retoldRange) (*retold, error) {
	list, err := l.Told(context.Background(), r.After, r.UpTo)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	t := &retold{retoldRange: r, counts: map[toldEvent]int{}, spans: map[string][]toldPeriod{}, last: r.Until}
	for i := range list {
		e := &list[i]
		t.last = max(t.last, e.Time)
		t.counts[toldEvent{e.Incident.ID, e.Time, e.Change}]++
		t.extend(e)
	}
	return t, nil
}

// extend adds an event to the periods of its incident.
func (t *retold) extend(e *ledger.Told) {
	spans := t.spans[e.Incident.ID]
	n := len(spans)
	isOpen := n > 0 && spans[n-1].to == 0
	switch isOver := e.Incident.Phase == incident.Cleared; {
	case isOver && isOpen:
		spans[n-1].to = e.Time
	case !isOver && !isOpen && n == 0:
		spans = append(spans, toldPeriod{from: min(int64(e.Incident.Onset.At), e.Time)})
	case !isOver && !isOpen:
		spans = append(spans, toldPeriod{from: e.Time})
	}
	t.spans[e.Incident.ID] = spans
}

// has reports whether the ledger has an event.
func (t *retold) has(e *incident.Event) bool {
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

// knownUntil returns the time of the last row whose results are in the ledger or in the history. The
// time of a command is no time of a row.
func (w *Watch) knownUntil(upTo int64) (until int64, err error) {
	err = w.tell.Ledger.Step(context.Background(), func(tx *ledger.Tx) (err error) { until, err = tx.RowTime(); return err })
	if err != nil {
		return 0, err
	}
	list, err := w.tell.Ledger.Told(context.Background(), 0, upTo)
	for i := range list {
		switch list[i].Change {
		case incident.Opened, incident.Changed, incident.Recovers, incident.Reopened:
			until = max(until, list[i].Time)
		}
	}
	return max(until, w.tell.History.Span().Steps.To), err
}
