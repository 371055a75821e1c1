package ledger_test

import (
	"testing"

	"github.com/limpet-storage/limpet/ledger"
	"github.com/limpet-storage/limpet/ledger/ledgertest"
)

// TestFollow: a log that the ledger did not know begins behind what it has, also when the
// ledger is opened again.
func TestFollow(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.Voice()
	follow := func(log string, before int64, isNew bool) {
		t.Helper()
		var got int64
		var was bool
		err := l.Step(t.Context(), func(tx *ledger.Tx) (err error) { got, was, err = tx.Follow(log); return err })
		if err != nil || got != before || was != isNew {
			t.Errorf("log %q begins after event %d, new: %v, %v; want %d, %v", log, got, was, err, before, isNew)
		}
	}
	follow("", 0, false)
	follow("a", 0, false) // nothing was said before
	step(t, l, v, 1, opened(v, 1, began), opened(v, 2, began))
	follow("a", 0, false)
	follow("b", 2, true)
	if n := step(t, l, v, 2+1, opened(v, 3, began)); n != 1 {
		t.Errorf("of the first event of another log %d were written", n)
	}
	l.Close()
	var err error
	if l, err = ledger.Open(t.Context(), l.Path()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	follow("b", 2, false)
	follow("", 3, true)
}
