package watch

import (
	"context"
	"fmt"

	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/ledger"
)

// checkLedger compares the identity of the ledger with the identity in a snapshot. If they differ
// and Options.NewLedger is false, checkLedger returns an error. If the ledger is an older copy of
// the right ledger, checkLedger accepts it and adds a sentence to the trouble "damage".
func (w *Watch) checkLedger(m *meta) error {
	l := w.tell.Ledger
	switch {
	case m.Ledger == "": // an earlier version of limpet made the snapshot
	case m.Ledger != l.Identity() && !w.o.NewLedger:
		return refusal{fmt.Errorf("the ledger %s is not the ledger of the journal beside it: %w", l.Path(), announce.ErrLedgerLost)}
	case m.Ledger != l.Identity():
		w.adopts = true
		if l.LastEvent() > 0 { // if the number is 0, the ledger is new, and announce.Open has reported the loss
			w.tell.Troubles.Damaged(fmt.Sprintf("the ledger %s is of another state, and is used from now on: past incidents and events of this state are lost", l.Path()))
		}
	}
	if m.Events > l.LastEvent() && !w.adopts {
		w.tell.Troubles.Damaged(fmt.Sprintf("the ledger %s is older than the journal beside it: events %d to %d are lost, with the commands and notifications of that time",
			l.Path(), l.LastEvent()+1, m.Events))
	}
	return l.Step(context.Background(), func(tx *ledger.Tx) error { return tx.NumberAfter(m.Events) })
}
