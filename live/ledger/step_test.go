package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
	"github.com/limpet-storage/limpet/report/sentence"
)

var began = ledgertest.Began

// step writes events, numbered from a number on, and returns how many were new.
func step(t *testing.T, l *ledger.Ledger, v *sentence.Writer, first int64, events ...*incident.Event) (n int) {
	t.Helper()
	err := l.Step(t.Context(), func(tx *ledger.Tx) error {
		for i, e := range events {
			isNew, err := tx.Event(first+int64(i), e, v)
			if err != nil {
				return err
			}
			if isNew {
				n++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func opened(v *sentence.Writer, lun int, at int64) *incident.Event {
	return ledgertest.Event(at, incident.Opened, ledgertest.Slow(v, lun, at))
}

func cleared(v *sentence.Writer, lun int, onset, at int64) *incident.Event {
	return ledgertest.Event(at, incident.Clears, ledgertest.Slow(v, lun, onset))
}

func TestStepIsWholeOrNothing(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	stop := errors.New("stop")
	err := l.Step(t.Context(), func(tx *ledger.Tx) error {
		if _, err := tx.Event(1, opened(v, 1, began), v); err != nil {
			return err
		}
		return stop
	})
	if !errors.Is(err, stop) {
		t.Fatalf("the step returned %v", err)
	}
	if _, total, err := l.Incidents(t.Context(), ledger.Query{}); err != nil || total != 0 || l.LastEvent() != 0 {
		t.Errorf("of a step that failed there are %d incidents, last event %d, %v", total, l.LastEvent(), err)
	}
	if n := step(t, l, v, 1, opened(v, 1, began)); n != 1 {
		t.Errorf("after that a step wrote %d events, want 1", n)
	}
}

func TestEventsThatAreSaidAgainAreIgnored(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	all := []*incident.Event{opened(v, 1, began), opened(v, 2, began+15), cleared(v, 1, began, began+7200)}
	if n := step(t, l, v, 1, all...); n != 3 {
		t.Fatalf("%d new events, want 3", n)
	}
	before, _, err := l.Incidents(t.Context(), ledger.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if n := step(t, l, v, 1, all...); n != 0 {
		t.Errorf("said again, %d of 3 events are new", n)
	}
	after, _, _ := l.Incidents(t.Context(), ledger.Query{})
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("events that were said again changed incidents:\n%v\n%v", before, after)
	}
	if n := step(t, l, v, 2, all[1], all[2], ledgertest.Event(began+9000, incident.Reopened, ledgertest.Slow(v, 1, began))); n != 1 {
		t.Errorf("with one more, %d are new", n)
	}
	events, err := l.Events(t.Context(), 2, 10)
	if err != nil || len(events) != 2 || events[0].Seq != 3 || events[1].Change != incident.Reopened || !strings.HasPrefix(string(events[1].Document), `{"id":"ec080001"`) {
		t.Errorf("events after 2: %v, %v", events, err)
	}
}

// IDs are made of the kind and the place of a problem. A problem that comes back after the engine
// forgot it is another incident, and the first one is not lost.
func TestAnIDComesAgain(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	later := began + 30*86400
	step(t, l, v, 1, opened(v, 1, began), cleared(v, 1, began, began+7200), opened(v, 1, later))
	r, err := l.Incident(t.Context(), ledgertest.ID(1))
	if err != nil {
		t.Fatal(err)
	}
	if r.Number != 3 || r.Onset != later || len(r.Events) != 1 || len(r.Earlier) != 1 || r.Earlier[0].ID != "ec080001.1" || r.Earlier[0].Cleared != began+7200 {
		t.Errorf("the second incident is %d since %d with events %v; before it there was %v", r.Number, r.Onset, r.Events, r.Earlier)
	}
	if old, err := l.Incident(t.Context(), "ec080001.1"); err != nil || len(old.Events) != 2 || !strings.Contains(string(old.Document), `"id":"ec080001.1"`) {
		t.Errorf("the first is %+v, %v", old, err)
	}
	step(t, l, v, 4, opened(v, 1, later)) // a diagnosis that was begun anew finds it again
	if r, _ := l.Incident(t.Context(), ledgertest.ID(1)); r.Number != 3 || len(r.Events) != 2 {
		t.Errorf("the same incident, opened again, has number %d and %d events", r.Number, len(r.Events))
	}
}

func TestWhatTheDiagnosisNoLongerKnowsIsEnded(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	step(t, l, v, 1, opened(v, 1, began), opened(v, 2, began))
	var ended []string
	err := l.Step(t.Context(), func(tx *ledger.Tx) (err error) {
		ended, err = tx.EndUnknown(began+900, []string{ledgertest.ID(2)})
		return err
	})
	if err != nil || len(ended) != 1 || ended[0] != ledgertest.ID(1) {
		t.Fatalf("ended %v, %v", ended, err)
	}
	r, err := l.Incident(t.Context(), ledgertest.ID(1))
	if err != nil || r.Phase != incident.Cleared || r.Ending != ledger.Lost {
		t.Errorf("it is %s, %q, %v", r.Phase, r.Ending, err)
	}
}

// Figures between events are written by row, and never become older.
func TestIncidentAsItStands(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	step(t, l, v, 1, opened(v, 1, began))
	worst := func(at int64, w float64) float64 {
		in := ledgertest.Slow(v, 1, began)
		in.Members[0].Effect.Times = w
		if err := l.Step(t.Context(), func(tx *ledger.Tx) error { return tx.Incident(at, &in, v) }); err != nil {
			t.Fatal(err)
		}
		r, err := l.Incident(t.Context(), in.ID)
		if err != nil {
			t.Fatal(err)
		}
		return r.Worst
	}
	if got := worst(began+900, 5); got != 5 {
		t.Errorf("after a row it is %g, want 5", got)
	}
	if got := worst(began+450, 3); got != 5 {
		t.Errorf("an earlier row, pushed again, makes it %g, want 5", got)
	}
}

func TestSuspectsAsTheyStand(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	for _, tt := range []struct {
		at   int64
		luns []int
		want int
	}{{began, []int{1, 2}, 2}, {began + 15, []int{1, 2}, 2}, {began + 30, []int{2}, 1}, {began + 15, []int{1, 2}, 1}, {began + 45, nil, 0}} {
		if err := l.Step(t.Context(), func(tx *ledger.Tx) error { return tx.Suspects(tt.at, suspects(v, tt.luns), v) }); err != nil {
			t.Fatal(err)
		}
		if got, err := l.Suspects(t.Context()); err != nil || len(got) != tt.want {
			t.Errorf("at %d there are %d suspects, want %d, %v", tt.at-began, len(got), tt.want, err)
		}
	}
}

func TestWaitForEvents(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	came := make(chan error)
	go func() { came <- l.Wait(t.Context(), 0) }()
	step(t, l, v, 1, opened(v, 1, began))
	if err := <-came; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Wait(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting ends with %v", err)
	}
}
