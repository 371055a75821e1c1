package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/limpet-storage/limpet/feedback"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/ledger"
)

// Word is what an operator says of an incident, or of a component and all that hang on
// it.
type Word struct {
	Who       string
	Verb      feedback.Verb // or ledger.Label
	Incident  string        // ID; empty where a component is named
	Component string        // a name or a pattern, as operators write it
	Text      string        // of a comment; the cause of a label
	Until     int64         // Unix time at which a mute ends; 0: it does not
}

// A RefusedWord says why a word cannot be carried out, and what would do.
type RefusedWord struct{ Text string }

func (e *RefusedWord) Error() string { return e.Text }

// word is a Word as the journal has it: at its time, about components by their names.
type word struct {
	Number     int64         `json:"number"`
	Time       int64         `json:"time"`
	Who        string        `json:"who"`
	Verb       feedback.Verb `json:"verb"`
	Incident   string        `json:"incident,omitempty"`
	Name       string        `json:"name"`
	Components []string      `json:"components,omitempty"`
	Text       string        `json:"text,omitempty"`
	Until      int64         `json:"until,omitempty"`
}

// Say carries a word out between two rows. When it returns nil the word is on disk.
func (w *Watch) Say(ctx context.Context, said Word) (at int64, err error) {
	err = w.ask(ctx, func() error {
		one, err := w.understand(said)
		if err != nil {
			return err
		}
		at = one.Time
		if err := w.logWord(one); err != nil {
			return err
		}
		w.carryOut(one)
		w.settle(due{})
		w.show()
		return nil
	})
	return at, err
}

// understand finds out what a word is about.
func (w *Watch) understand(said Word) (word, error) {
	if w.d == nil {
		return word{}, &RefusedWord{errNothingYet.Error()}
	}
	one := word{
		Number: w.words + 1, Time: max(w.o.Now().Unix(), w.row), Who: said.Who, Verb: said.Verb, Incident: said.Incident,
		Name: said.Component, Text: said.Text, Until: said.Until,
	}
	var about []int
	if said.Incident != "" {
		in, err := w.findIncident(said.Incident, said.Verb)
		if err != nil {
			return word{}, err
		}
		if in != nil {
			one.Name = in.Place.Name
			for i := range in.Members {
				about = append(about, in.Members[i].Component)
			}
		}
	} else if about = w.d.subject.System.Match(said.Component); len(about) == 0 {
		return word{}, &RefusedWord{fmt.Sprintf("no component is called %s: use a name that the components have, or an incident's ID", said.Component)}
	}
	slices.Sort(about)
	for _, c := range slices.Compact(about) {
		one.Components = append(one.Components, w.d.subject.System.Components[c].Name)
	}
	return one, nil
}

// findIncident finds what the engine knows under an ID. Of one that is over only a
// comment or a label may be said; then there is none.
func (w *Watch) findIncident(id string, verb feedback.Verb) (*incident.Incident, error) {
	known := w.d.engine.Summary(incident.Combined).Incidents
	if at := slices.IndexFunc(known, func(in incident.Incident) bool { return in.ID == id }); at >= 0 {
		return &known[at], nil
	}
	if _, err := w.ledger.Incident(context.Background(), id); err != nil {
		if errors.Is(err, ledger.ErrUnknown) {
			return nil, &RefusedWord{fmt.Sprintf("no incident has the ID %s: list those that there are, and name one of them", id)}
		}
		return nil, err
	}
	if verb != feedback.Comment && verb != ledger.Label {
		return nil, &RefusedWord{fmt.Sprintf("incident %s is over: only a comment or its cause can be added", id)}
	}
	return nil, nil
}

// logWord puts a word into the journal, at its place between two rows.
func (w *Watch) logWord(one word) error {
	note, err := json.Marshal(one)
	if err != nil {
		return err
	}
	if err = w.journal.Broken(); err == nil {
		if err = w.journal.Note(note); err == nil {
			err = w.journal.Sync()
		}
	}
	if err != nil {
		return fmt.Errorf("the word cannot be kept, so nothing was changed: %w", err)
	}
	return nil
}

// hearAgain takes a word from the log.
func (w *Watch) hearAgain(note []byte) error {
	var one word
	if err := json.Unmarshal(note, &one); err != nil {
		return fmt.Errorf("a word of an operator: %w", err)
	}
	w.carryOut(one)
	return nil
}

// carryOut lets the engine act on a word, and the ledger keep it.
func (w *Watch) carryOut(one word) {
	w.words = one.Number
	changes := one.Verb != feedback.Comment && one.Verb != ledger.Label
	w.mutes = slices.DeleteFunc(w.mutes, func(m mute) bool {
		return changes && slices.Equal(m.Word.Components, one.Components)
	})
	if one.Verb == feedback.Mute && one.Until > 0 {
		w.mutes = append(w.mutes, mute{one.Until, one})
	}
	if one.Verb != ledger.Label && len(one.Components) > 0 {
		w.apply(one)
	}
	kept := ledger.Feedback{
		Key: "word " + strconv.FormatInt(one.Number, 10), ID: one.Incident, Time: one.Time, Who: one.Who, Verb: one.Verb, Target: one.Name, Text: one.Text, Until: one.Until,
	}
	if one.Verb == ledger.Label {
		kept.Text, kept.Cause = "", one.Text
		w.causes[one.Incident] = kept
	}
	w.pending = append(w.pending, func(tx *ledger.Tx) error { return tx.Feedback(kept) })
}

// apply has the engine act on a word.
func (w *Watch) apply(one word) {
	f := feedback.Feedback{Time: one.Time, Verb: one.Verb, Name: one.Name, Text: one.Text}
	for _, name := range one.Components {
		if c, ok := w.d.subject.System.Lookup(name); ok {
			f.Components = append(f.Components, c)
		}
	}
	w.d.engine.Apply(f)
}

// endMutes ends the mutes whose time has come.
func (w *Watch) endMutes(now int64) {
	w.mutes = slices.DeleteFunc(w.mutes, func(m mute) bool {
		if m.Until > now {
			return false
		}
		over := m.Word
		over.Time, over.Verb, over.Text = m.Until, feedback.Unmute, ""
		w.apply(over)
		return true
	})
}
