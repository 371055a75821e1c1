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
		return refusal{fmt.Errorf("the ledger %s is not the ledger of the journal beside it: %w", l.Path(), announce.ErrLedgerLost)}
	case m.Ledger != l.Identity():
		w.mended, w.adopted = true, true
		if l.LastEvent() > 0 { // if the number is 0, the ledger is new, and announce.Open has reported the loss
			w.tell.Troubles.Damaged(fmt.Sprintf("the ledger %s is of another state, and is used from now on: past incidents and events of this state are lost", l.Path()))
		}
	}
	if m.Events > l.LastEvent() && !w.adopted {
		w.tell.Troubles.Damaged(fmt.Sprintf("the ledger %s is older than the journal beside it: events %d to %d are lost, with the commands and notifications of that time",
			l.Path(), l.LastEvent()+1, m.Events))
	}
	return l.Step(context.Background(), func(tx *ledger.Tx) error { return tx.NumberAfter(m.Events) })
}

// checkHistory adds a sentence to the trouble "damage" if the history has lost steps. This is the
// case if it ends earlier than it did on disk when the snapshot was made.
func (w *Watch) checkHistory(m *meta) {
	if ends := w.tell.History.Written(); ends < m.History {
		what := "has no steps"
		if ends > 0 {
			what = "ends at " + stamp(ends)
		}
		w.tell.Troubles.Damaged(fmt.Sprintf("the history in %s %s, but steps were written up to %s: files are missing, and plots and maps have a gap; put the files of a backup in their place",
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
	l, owed := w.tell.Ledger, w.owes
	if err := w.owe(); err != nil {
		return err
	}
	events := l.LastEvent() - w.events
	switch {
	case events <= 0 && w.owes <= owed: // nothing was lost: the previous process already took these commands from the ledger, but has not executed them
		return nil
	case w.adopted: // the events and commands are of another state
		if n := len(w.owed); n > 0 {
			w.commands, w.owed = w.owed[n-1].Number, nil
		}
		w.events = max(w.events, l.LastEvent())
		return nil
	}
	w.tell.Troubles.Damaged(fmt.Sprintf("the journal in %s ends at %s, but the ledger has %s and %s from after that time: rows are read from their sources again, and commands are taken from the ledger",
		filepath.Join(w.o.StateDir, journalDir), stamp(w.row), english.Count(int(max(events, 0)), "event"), english.Count(len(w.owed), "command")))
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

// owe sets w.owed. It reads the commands from the ledger that the restored engine has not executed.
func (w *Watch) owe() (err error) {
	w.owed, err = w.tell.Ledger.CommandsAfter(context.Background(), w.commands)
	for i := range w.owed {
		w.owed[i].Row = cmp.Or(w.owed[i].Row, w.owed[i].Time) // an earlier version of limpet stored no row
		w.owes = w.owed[i].Number
	}
	return err
}

// executeOwed executes commands from w.owed. It executes only the commands that were first executed
// before the row that ends at the given time. So each command is executed between the same two rows
// as the first time.
func (w *Watch) executeOwed(before int64) {
	for w.d != nil && len(w.owed) > 0 && w.owed[0].Row < before {
		c := w.owed[0]
		w.owed = w.owed[1:]
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

// executeAllOwed executes all commands in w.owed. It is called when all rows have been read,
// because no row before these commands will come.
func (w *Watch) executeAllOwed() {
	if w.d != nil && len(w.owed) > 0 {
		w.executeOwed(math.MaxInt64)
		w.settle(due{})
	}
}
