package announce

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/topology"
)

// A RefusedWord says why a word cannot be carried out, and what would do.
type RefusedWord struct{ Text string }

func (e *RefusedWord) Error() string { return e.Text }

// Word returns what writes a word down under a key.
func (t *Teller) Word(key string, w *engine.Command) func(*ledger.Tx) error {
	kept := ledger.Feedback{Key: key, ID: w.Incident, Time: w.Time, Who: w.Who, Verb: w.Verb, Target: w.Name, Text: w.Text, Until: w.Until}
	if w.Verb == command.Label {
		kept.Text, kept.Cause = "", w.Text
		t.Causes[w.Incident] = kept
	}
	return func(tx *ledger.Tx) error { return tx.Feedback(kept) }
}

// About finds out which components a word is about, in order, by what it names: an
// incident of those that are known, or components. Of an incident that is over only a
// comment or a label may be said; past is its record then. The word gets the incident's
// name.
func (t *Teller) About(ctx context.Context, system *topology.System, known []incident.Incident, w *engine.Command) (about []int, past *ledger.Record, err error) {
	if w.Incident == "" {
		if about = system.Match(w.Name); len(about) == 0 {
			err = &RefusedWord{fmt.Sprintf("no component is called %s: use a name that the components have, or an incident's ID", w.Name)}
		}
		return inOrder(about), nil, err
	}
	at := slices.IndexFunc(known, func(in incident.Incident) bool { return in.ID == w.Incident })
	if at < 0 {
		past, err = t.past(ctx, w)
		return nil, past, err
	}
	w.Name = known[at].Place.Name
	for i := range known[at].Members {
		about = append(about, known[at].Members[i].Component)
	}
	return inOrder(about), nil, nil
}

func inOrder(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}

// past is the record of an incident that is over.
func (t *Teller) past(ctx context.Context, w *engine.Command) (*ledger.Record, error) {
	kept, err := t.Ledger.Incident(ctx, w.Incident)
	switch {
	case errors.Is(err, ledger.ErrUnknown):
		return nil, &RefusedWord{fmt.Sprintf("no incident has the ID %s: list those that there are, and name one of them", w.Incident)}
	case err != nil:
		return nil, err
	case w.Verb != command.Comment && w.Verb != command.Label:
		return nil, &RefusedWord{fmt.Sprintf("incident %s is over: only a comment or its cause can be added", w.Incident)}
	}
	return kept, nil
}
