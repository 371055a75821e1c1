package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/ledger"
)

// Apply executes an operator's command between two rows. When Apply returns no error, the command
// is on disk. Apply returns the Unix time of the command.
func (w *Watch) Apply(ctx context.Context, c command.Command) (at int64, err error) {
	err = w.runBetweenRows(ctx, func() error {
		if err := w.complete(&c); err != nil {
			return err
		}
		at = c.Time
		if err := w.logCommand(&c); err != nil {
			return err
		}
		w.execute(&c)
		w.settle(due{})
		w.show()
		return nil
	})
	return at, err
}

// complete fills in the number, the time and the components of a command.
func (w *Watch) complete(c *command.Command) error {
	if w.d == nil {
		return &announce.RefusedCommand{Text: errNothingYet.Error()}
	}
	w.executeUnexecuted(math.MaxInt64) // execute the commands with lower numbers first
	c.Number, c.Time = w.commands+1, max(w.o.Now().Unix(), w.row)
	system := w.d.Subject.System
	components, _, err := w.store.Components(context.Background(), system, w.d.Engine.Summary(incident.Combined).Incidents, c)
	for _, n := range components {
		c.Components = append(c.Components, system.Components[n].Name)
	}
	return err
}

// logCommand writes a command into the journal, after the last row, and syncs the journal. It
// returns an error if the journal is broken.
func (w *Watch) logCommand(c *command.Command) error {
	err := w.journal.Broken()
	if err == nil {
		err = w.noteCommand(c)
	}
	if err != nil {
		return fmt.Errorf("the command cannot be saved, so nothing was changed: %w", err)
	}
	return nil
}

// noteCommand writes a command into the journal and syncs the journal. The journal must not be
// broken.
func (w *Watch) noteCommand(c *command.Command) error {
	note, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := w.journal.Note(note); err != nil {
		return err
	}
	return w.journal.Sync()
}

// Audit writes an entry of the audit trail into the ledger.
func (w *Watch) Audit(ctx context.Context, a ledger.Audit) error { return w.store.Audit(ctx, a) }

// replayCommand executes a command that was read from the journal.
func (w *Watch) replayCommand(note []byte) error {
	var c command.Command
	if err := json.Unmarshal(note, &c); err != nil {
		return fmt.Errorf("limpet cannot repeat a saved command of an operator after the restart: %w", err)
	}
	w.execute(&c)
	return nil
}

// execute applies a command to the diagnosis, and adds the command to the pending writes for the
// ledger.
func (w *Watch) execute(c *command.Command) { w.executeAfter(w.row, c) }

// executeAfter executes a command. The parameter `row` is the time at which the last row before the
// command ends.
func (w *Watch) executeAfter(row int64, c *command.Command) {
	w.commands = c.Number
	w.d.Apply(c)
	w.pending = append(w.pending, w.store.RecordCommand("word "+strconv.FormatInt(c.Number, 10), row, c))
}
