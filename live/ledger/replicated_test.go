package ledger_test

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
)

// TestTriedChanges: Try changes nothing, and its result makes the same changes in another ledger,
// also if it comes twice.
func TestTriedChanges(t *testing.T) {
	one, two := ledgertest.Open(t), ledgertest.Open(t)
	for _, l := range []*ledger.Ledger{one, two} {
		change(t, l, func(tx *ledger.Tx) error { return tx.PutAlert(ledger.Alert{ID: "old", State: []byte(`{}`)}) })
	}
	c, err := one.Try(t.Context(), func(tx *ledger.Tx) error {
		for _, due := range []int64{5, 7} {
			if err := tx.PutAlert(ledger.Alert{ID: "new", Due: due, State: []byte(`{"state":"firing"}`)}); err != nil {
				return err
			}
		}
		if err := tx.DropAlert("old"); err != nil {
			return err
		}
		if err := tx.NoteRow(60); err != nil {
			return err
		}
		return tx.Deliver(ledger.Delivery{Receiver: "pager", Key: "k", Alert: "a", Time: 60, Payload: []byte(`{}`)})
	})
	if err != nil || c.Empty() || len(c.Alerts) != 2 || len(c.Deliveries) != 1 || c.Row != 60 {
		t.Fatalf("%+v, %v", c, err)
	}
	if got := alertIDs(t, one); !slices.Equal(got, []string{"old"}) {
		t.Errorf("the ledger has the alerts %v", got)
	}
	if n, _, err := one.Queued(t.Context(), "pager"); err != nil || n != 0 {
		t.Errorf("%d notifications, %v", n, err)
	}
	for range 2 {
		change(t, two, func(tx *ledger.Tx) error { return tx.ApplyAlerts(&c) })
	}
	if got := alertIDs(t, two); !slices.Equal(got, []string{"new"}) {
		t.Errorf("the other ledger has the alerts %v", got)
	}
	if all, err := two.Alerts(t.Context()); err != nil || all[0].Due != 7 {
		t.Errorf("%+v, %v", all, err)
	}
	if n, oldest, err := two.Queued(t.Context(), "pager"); err != nil || n != 1 || oldest != 60 {
		t.Errorf("%d notifications, the first at %d, %v", n, oldest, err)
	}
	change(t, two, func(tx *ledger.Tx) error { return tx.Settle("pager", "k", 100) })
	change(t, two, func(tx *ledger.Tx) error { return tx.Settle("pager", "k", 200) }) // the first answer stays
	change(t, two, func(tx *ledger.Tx) error { return tx.ApplyAlerts(&c) })           // it is not delivered again
	if at, err := two.LastAcknowledged(t.Context(), "pager"); err != nil || at != 100 {
		t.Errorf("acknowledged at %d, %v", at, err)
	}
	if left, err := two.Undelivered(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("%+v, %v", left, err)
	}
}

// TestAlertLog: the position in the log of alerts is kept.
func TestAlertLog(t *testing.T) {
	l := ledgertest.Open(t)
	want := ledger.AlertLog{Cluster: "c", At: 3, Through: 2, IsComplete: true, QuietBefore: 5, Refreshed: 7}
	change(t, l, func(tx *ledger.Tx) error {
		if at, err := tx.AlertLog(); err != nil || at != (ledger.AlertLog{}) {
			t.Errorf("%+v, %v", at, err)
		}
		return tx.PutAlertLog(want)
	})
	change(t, l, func(tx *ledger.Tx) error {
		got, err := tx.AlertLog()
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		return err
	})
}

func alertIDs(t *testing.T, l *ledger.Ledger) (ids []string) {
	t.Helper()
	all, err := l.Alerts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		ids = append(ids, all[i].ID)
	}
	return ids
}

func change(t *testing.T, l *ledger.Ledger, do func(*ledger.Tx) error) {
	t.Helper()
	if err := l.Step(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}
