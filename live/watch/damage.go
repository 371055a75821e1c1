package watch

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/ledger"
)

// checkLedger compares the identity of the ledger with the identity in a snapshot. If the
// identities differ and Options.NewLedger is false, checkLedger returns an error. If the ledger is
// an older copy of the right ledger, checkLedger accepts it, and adds a sentence to the trouble
// "damage". A trouble is a failure of limpet itself, and is shown to users.
func (w *Watch) checkLedger(m *meta) error {
	l := w.store.Ledger
	switch {
	case m.Ledger == "": // an earlier version of limpet made the snapshot
	case m.Ledger != l.Identity() && !w.o.NewLedger:
		return refusal{foreignLedger(l.Path())}
	case m.Ledger != l.Identity():
		w.repaired, w.adopted = true, true
		if l.LastEvent() > 0 { // if there is no event, the ledger is new, and announce.Open has reported the loss
			w.store.Troubles.Damaged(fmt.Sprintf("the ledger (file %s) belongs to another saved state. limpet uses this ledger from now on; the past incidents and events of this saved state are lost", l.Path()))
		}
	}
	has, err := l.Position(context.Background())
	if err != nil {
		return err
	}
	if !w.adopted {
		if text := olderLedger(l.Path(), m, l.LastEvent(), has); text != "" {
			w.store.Troubles.Damaged(text)
		}
	}
	return l.Step(context.Background(), func(tx *ledger.Tx) error { return tx.NumberAfter(m.Events) })
}

// olderLedger returns a sentence about a ledger that has lost entries since the snapshot was made.
// It returns an empty text if no entry is lost.
func olderLedger(path string, m *meta, lastEvent int64, has ledger.Position) string {
	var lost []string
	if m.Events > lastEvent {
		lost = append(lost, fmt.Sprintf("events %d to %d", lastEvent+1, m.Events))
	}
	lost = append(lost, m.Position.Lost(has)...)
	if len(lost) == 0 {
		return ""
	}
	return fmt.Sprintf("the ledger (file %s) is older than the journal in the same directory: the ledger has lost %s", path, english.List(lost))
}

// checkHistory adds a sentence to the trouble "damage" if the history has lost files.
func (w *Watch) checkHistory(m *meta) {
	dir := filepath.Join(w.o.StateDir, "history")
	if text := olderHistory(dir, m, w.store.History.Written(), w.store.History.Lost(m.Files)); text != "" {
		w.store.Troubles.Damaged(text)
	}
}

// olderHistory returns the sentence about a history that has lost files. A history has lost files if
// it lacks steps or files that it had on disk when the snapshot was made. olderHistory returns an
// empty text if no file is lost.
func olderHistory(dir string, m *meta, ends int64, lost []string) string {
	switch {
	case ends >= m.History && len(lost) == 0:
		return ""
	case ends >= m.History:
		return fmt.Sprintf("%s of the history in %s are missing (such as %s): plots and heat maps have a gap; restore the files from a backup", english.Count(len(lost), "file"), dir, lost[0])
	}
	what := "has no time steps"
	if ends > 0 {
		what = "ends at " + stamp(ends)
	}
	return fmt.Sprintf("the history in %s %s, but time steps were written up to %s: files are missing, and plots and heat maps have a gap; restore the files from a backup",
		dir, what, stamp(m.History))
}

// stamp formats a Unix time for messages.
func stamp(at int64) string { return time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05 UTC") }

// catchUp compares the restored state with the ledger. A row is logged and synced in the journal
// before its events are written into the ledger. A command is also logged and synced in the journal
// before it is written into the ledger. So if the ledger has later events or commands, the journal
// has lost records. The rows are then read from their sources again, and catchUp takes the commands
// from the ledger.
func (w *Watch) catchUp() (err error) {
	l, known := w.store.Ledger, w.lastUnexecuted
	if err := w.readUnexecuted(); err != nil {
		return err
	}
	events := l.LastEvent() - w.events
	switch {
	case events <= 0 && w.lastUnexecuted <= known: // nothing was lost: when the state was saved, the commands in w.unexecuted were already waiting to be executed
		return nil
	case w.adopted: // the ledger's events and commands belong to another state
		if n := len(w.unexecuted); n > 0 {
			w.commands, w.unexecuted = w.unexecuted[n-1].Number, nil
		}
		w.events = max(w.events, l.LastEvent())
		return nil
	}
	w.store.Troubles.Damaged(shorterJournal(w.o.StateDir, w.row, int(max(events, 0)), len(w.unexecuted)))
	w.repaired = true
	if events > 0 {
		again := knownRange{After: w.events}
		if w.known != nil { // after an earlier loss, some events were not made again yet
			again = w.known.knownRange
		}
		again.UpTo = l.LastEvent()
		w.known, err = newKnownEvents(l, again)
		w.events = again.UpTo
	}
	return err
}

// readUnexecuted sets w.unexecuted. It reads from the ledger all commands that the restored engine
// has not executed.
func (w *Watch) readUnexecuted() (err error) {
	w.unexecuted, err = w.store.Ledger.CommandsAfter(context.Background(), w.commands)
	for i := range w.unexecuted {
		w.unexecuted[i].Row = cmp.Or(w.unexecuted[i].Row, w.unexecuted[i].Time) // a command of an earlier version of limpet has no row time: use the time of the command instead
		w.lastUnexecuted = w.unexecuted[i].Number
	}
	return err
}

// executeUnexecuted executes the commands of w.unexecuted that come before a row. The parameter
// `before` is the end time of this row. The first time, each command was executed between two
// rows. Now it is executed between the same two rows.
func (w *Watch) executeUnexecuted(before int64) {
	for w.d != nil && len(w.unexecuted) > 0 && w.unexecuted[0].Row < before {
		c := w.unexecuted[0]
		w.unexecuted = w.unexecuted[1:]
		if c.Components == nil { // an earlier version of limpet has written the command
			system := w.d.Subject.System
			for _, n := range system.Match(c.Name) {
				c.Components = append(c.Components, system.Components[n].Name)
			}
		}
		if w.journal.Broken() == nil {
			w.checkJournal(w.noteCommand(&c.Command))
		}
		w.executeAfter(c.Row, &c.Command)
	}
}

// executeAllUnexecuted executes all commands in w.unexecuted. It is called when all rows have been
// read. All later rows are then later than these commands.
func (w *Watch) executeAllUnexecuted() {
	if w.d != nil && len(w.unexecuted) > 0 {
		w.executeUnexecuted(math.MaxInt64)
		w.settle(due{})
	}
}
