package commoncause

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/internal/state/formtest"
	"github.com/limpet-storage/limpet/topology"
)

// continued restores a state of testdata, and passes counts without slow components until the incident
// of the state has ended. It lists the events.
func continued(tb testing.TB, saved []byte) (r *Reducer, events []string) {
	tb.Helper()
	s := world(tb)
	r = NewReducer(engine.DefaultOptions(), blame.NewMap(s), []string{"a", "b"}, time.Hour, func(e *incident.Event) {
		events = append(events, fmt.Sprint(e.Change, " ", e.Incident.ID, " ", e.Incident.Place, " ", len(e.Incident.Members)))
	})
	if err := r.Restore(saved); err != nil {
		tb.Fatal(err)
	}
	for at := int64(9060); at <= 20_000; at += 60 {
		for i, name := range []string{"a", "b"} {
			p, whole := part(s, 20*i, 20*i+20)
			c := NewCounter(p, whole).Count(census(p, at, func(*topology.Component) bool { return false }))
			if err := r.Take(name, c, time.Unix(at, 0)); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return r, events
}

// TestEarlierForm: a state of format 3, which an earlier version of limpet has saved, is read with its
// incidents and its evidence, and the reducer continues with it.
func TestEarlierForm(t *testing.T) {
	saved, err := os.ReadFile("testdata/form3.saved")
	if err != nil {
		t.Fatal(err)
	}
	_, events := continued(t, saved)
	want := []string{"recovering 877782b0 {slot 4} 16", "cleared 877782b0 {slot 4} 16"}
	if !slices.Equal(events, want) {
		t.Errorf("%q, want %q", events, want)
	}
	r := NewReducer(engine.DefaultOptions(), blame.NewMap(world(t)), []string{"a", "b"}, time.Hour, func(*incident.Event) {})
	if err := r.Restore(saved); err != nil {
		t.Fatal(err)
	}
	again, err := r.Save()
	if err != nil {
		t.Fatal(err)
	}
	if _, events := continued(t, again); !slices.Equal(events, want) {
		t.Errorf("saved again in the present form: %q, want %q", events, want)
	}
}

// TestOtherForms: a state of a newer version is known as one, and a state that is older than the
// version before is refused.
func TestOtherForms(t *testing.T) {
	m := blame.NewMap(world(t))
	r := NewReducer(engine.DefaultOptions(), m, []string{"a"}, time.Hour, func(*incident.Event) {})
	tracker, err := r.saveTracker()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.restoreTracker(formtest.WithVersion(tracker, formVersion+1)); !errors.Is(err, state.ErrNewer) {
		t.Errorf("a newer state: %v", err)
	}
	if err := r.restoreTracker(formtest.WithVersion(tracker, oldestVersion-1)); err == nil || errors.Is(err, state.ErrNewer) || !strings.Contains(err.Error(), "format 2") {
		t.Errorf("an older state: %v", err)
	}
}
