package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/announce"
)

// Say carries a word out between two rows. When it returns nil the word is on disk.
func (w *Watch) Say(ctx context.Context, said engine.Command) (at int64, err error) {
	err = w.ask(ctx, func() error {
		if err := w.understand(&said); err != nil {
			return err
		}
		at = said.Time
		if err := w.logWord(&said); err != nil {
			return err
		}
		w.carryOut(&said)
		w.settle(due{})
		w.show()
		return nil
	})
	return at, err
}

// understand gives a word its number and its time, and finds out what it is about.
func (w *Watch) understand(one *engine.Command) error {
	if w.d == nil {
		return &announce.RefusedWord{Text: errNothingYet.Error()}
	}
	one.Number, one.Time = w.words+1, max(w.o.Now().Unix(), w.row)
	system := w.d.Subject.System
	about, _, err := w.tell.About(context.Background(), system, w.d.Engine.Summary(incident.Combined).Incidents, one)
	for _, c := range about {
		one.Components = append(one.Components, system.Components[c].Name)
	}
	return err
}

// logWord puts a word into the journal, at its place between two rows.
func (w *Watch) logWord(one *engine.Command) error {
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
	var one engine.Command
	if err := json.Unmarshal(note, &one); err != nil {
		return fmt.Errorf("a word of an operator: %w", err)
	}
	w.carryOut(&one)
	return nil
}

// carryOut lets the engine act on a word, and the ledger keep it.
func (w *Watch) carryOut(one *engine.Command) {
	w.words = one.Number
	w.d.Execute(one)
	w.pending = append(w.pending, w.tell.Word("word "+strconv.FormatInt(one.Number, 10), one))
}
