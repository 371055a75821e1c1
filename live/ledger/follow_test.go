package ledger_test

import (
	"testing"

	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
)

// TestFollow: a new log begins behind the events of the ledger, also after the ledger was opened again.
func TestFollow(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	follow := func(log string, now int64, want ledger.Followed) {
		t.Helper()
		var got ledger.Followed
		err := l.Step(t.Context(), func(tx *ledger.Tx) (err error) { got, err = tx.Follow(log, now); return err })
		if err != nil || got != want {
			t.Errorf("log %q: %+v, %v; want %+v", log, got, err, want)
		}
	}
	follow("", 1, ledger.Followed{})
	follow("a", 2, ledger.Followed{Since: 2}) // there is no event yet
	step(t, l, v, 1, opened(v, 1, began), opened(v, 2, began))
	follow("a", 3, ledger.Followed{Since: 2})
	follow("b", 4, ledger.Followed{Before: 2, Since: 4, IsNew: true})
	if n := step(t, l, v, 2+1, opened(v, 3, began)); n != 1 {
		t.Errorf("of the first event of another log %d were written", n)
	}
	l.Close()
	var err error
	if l, err = ledger.Open(t.Context(), l.Path()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	follow("b", 5, ledger.Followed{Before: 2, Since: 4})
	follow("a", 6, ledger.Followed{Before: 1, Since: 6, IsNew: true}) // two of its events are known
	if n := step(t, l, v, 1+3, opened(v, 4, began)); n != 1 {
		t.Errorf("of the third event of the first log %d were written", n)
	}
	follow("", 7, ledger.Followed{Before: 4, Since: 7, IsNew: true})
}
