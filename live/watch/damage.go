package watch

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/ledger"
)

// checkLedger compares the identity of the ledger with the identity in a snapshot. If the
// identities differ and Options.NewLedger is false, checkLedger returns an error. If the ledger is
// an older copy of the right ledger, checkLedger accepts it and adds a sentence to the trouble
// "damage".
func (w *Watch) checkLedger(m *meta) error {
	l := w.tell.Ledger
	switch {
	case m.Ledger == "": // an earlier version of limpet made the snapshot
	case m.Ledger != l.Identity() && !w.o.NewLedger:
		return refusal{fmt.Errorf("the ledger %s does not belong to the journal in the same directory: %w", l.Path(), announce.ErrLedgerLost)}
	case m.Ledger != l.Identity():
		w.mended, w.adopted = true, true
		if l.LastEvent() > 0 { // if the number is 0, the ledger is new, and announce.Open has reported the loss
			w.tell.Troubles.Damaged(fmt.Sprintf("the ledger %s belongs to another saved state, and is used from now on: past incidents and events of this saved state are lost", l.Path()))
		}
	}
	if m.Events > l.LastEvent() && !w.adopted {
		w.tell.Troubles.Damaged(fmt.Sprintf("the ledger %s is older than the journal in the same directory: events %d to %d are lost, with the commands and notifications of that time",
			l.Path(), l.LastEvent()+1, m.Events))
	}
	return l.Step(context.Background(), func(tx *ledger.Tx) error { return tx.NumberAfter(m.Events) })
}

// checkHistory adds a sentence to the trouble "damage" if the history has lost steps. This is the
// case if it ends earlier than it did on disk when the snapshot was made.
func (w *Watch) checkHistory(m *meta) {
	if ends := w.tell.History.Written(); ends < m.History {
		what := "has no time steps"
		if ends > 0 {
			what = "ends at " + stamp(ends)
		}
		w.tell.Troubles.Damaged(fmt.Sprintf("the history in %s %s, but time steps were written up to %s: files are missing, and plots and maps have a gap; restore the files from a backup",
			filepath.Join(w.o.StateDir, "history"), what, stamp(m.History)))
	}
}

// stamp formats a Unix time for messages.
func stamp(at int64) string { return time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05 UTC") }

// catchUp compares the restored state with the ledger. A row is logged and synced in the journal
// before its events are written into the ledger. A command is also logged and synced in the journal
// before it is written into the ledger. So if the ledger has later events or commands, the journal
// has lost records. The rows are then read from their sources again, and catchUp takes the commands
// from the ledger.
func (w *Watch) catchUp() (err error) {
	l, known := w.tell.Ledger, w.lastUnexecuted
	if err := w.readUnexecuted(); err != nil {
		return err
	}
	events := l.LastEvent() - w.events
	switch {
	case events <= 0 && w.lastUnexecuted <= known: // nothing was lost: the previous process already took these commands from the ledger, but has not executed them
		return nil
	case w.adopted: // the events and commands are of another state
		if n := len(w.unexecuted); n > 0 {
			w.commands, w.unexecuted = w.unexecuted[n-1].Number, nil
		}
		w.events = max(w.events, l.LastEvent())
		return nil
	}
	end := "ends at " + stamp(w.row)
	if w.row == 0 {
		end = "has no row"
	}
	w.tell.Troubles.Damaged(fmt.Sprintf("the journal in %s %s, but the ledger has %s and %s that the journal does not have: data are read from their sources again, and commands are taken from the ledger",
		filepath.Join(w.o.StateDir, journalDir), end, english.Count(int(max(events, 0)), "event"), english.Count(len(w.unexecuted), "command")))
	w.mended = true
	if events > 0 {
		again := retoldRange{After: w.events}
		if w.told != nil { // events of an earlier loss are still expected
			again = w.told.retoldRange
		}
		again.UpTo = l.LastEvent()
		w.told, err = newRetold(l, again)
		w.events = again.UpTo
	}
	return err
}

// readUnexecuted sets w.unexecuted. It reads the commands from the ledger that the restored engine has not executed.
func (w *Watch) readUnexecuted() (err error) {
	w.unexecuted, err = w.tell.Ledger.CommandsAfter(context.Background(), w.commands)
	for i := range w.unexecuted {
		w.unexecuted[i].Row = cmp.Or(w.unexecuted[i].Row, w.unexecuted[i].Time) // an earlier version of limpet stored no row
		w.lastUnexecuted = w.unexecuted[i].Number
	}
	return err
}

// executeUnexecuted executes commands from w.unexecuted. It executes only the commands that were first executed
// before the row that ends at the given time. So each command is executed between the same two rows
// as the first time.
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

// executeAllUnexecuted executes all commands in w.unexecuted. It is called when all rows have been read,
// because no row before these commands will come.
func (w *Watch) executeAllUnexecuted() {
	if w.d != nil && len(w.unexecuted) > 0 {
		w.executeUnexecuted(math.MaxInt64)
		w.settle(due{})
	}
}
