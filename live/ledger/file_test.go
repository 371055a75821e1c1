package ledger_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
	"github.com/limpet-storage/limpet/report/document"
)

func TestALedgerIsReadAgain(t *testing.T) {
	old, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	step(t, old, v, 1, opened(v, 1, began), opened(v, 2, began))
	old.Close()
	l, err := ledger.Open(t.Context(), old.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if l.LastEvent() != 2 || len(l.Identity()) < 20 || l.Identity() != old.Identity() {
		t.Errorf("the last event is %d, the identity %q", l.LastEvent(), l.Identity())
	}
	copied := filepath.Join(t.TempDir(), "backup.db")
	if err := l.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	b, err := ledger.Open(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if b.LastEvent() != 2 || b.Identity() != l.Identity() {
		t.Errorf("the backup has event %d of %s", b.LastEvent(), b.Identity())
	}
}

// Retention by age: open and labelled incidents stay.
func TestRetentionByAge(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	year := int64(365 * 86400)
	step(t, l, v, 1, opened(v, 1, began), cleared(v, 1, began, began+7200), opened(v, 2, began), cleared(v, 2, began, began+7200),
		opened(v, 3, began), opened(v, 4, began+year), cleared(v, 4, began+year, began+year+7200))
	label := command.Command{Incident: ledgertest.ID(2), Time: began, Who: "ann", Verb: command.Label, Text: "a cable"}
	if err := l.Step(t.Context(), func(tx *ledger.Tx) error { return tx.Command(&label) }); err != nil {
		t.Fatal(err)
	}
	if err := l.Retain(t.Context(), began+year+10000, ledger.Retention{Seconds: year / 2, Bytes: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	list, _, _ := l.Incidents(t.Context(), ledger.Query{Order: ledger.Oldest})
	left := document.Each(list, func(in ledger.Incident) string { return in.ID })
	if want := []string{ledgertest.ID(2), ledgertest.ID(3), ledgertest.ID(4)}; fmt.Sprint(left) != fmt.Sprint(want) {
		t.Errorf("left are %v, want %v", left, want)
	}
	if _, err := l.Incident(t.Context(), ledgertest.ID(1)); !errors.Is(err, ledger.ErrUnknown) {
		t.Errorf("what has left: %v", err)
	}
	if n := step(t, l, v, 1, opened(v, 1, began)); n != 0 {
		t.Error("an event that has left the ledger is taken for a new one")
	}
}

// Retention by size: labelled incidents are dropped last.
func TestRetentionBySize(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	for n := range 300 {
		at := began + int64(n)*86400
		step(t, l, v, int64(2*n+1), opened(v, n, at), cleared(v, n, at, at+7200))
	}
	label := command.Command{Incident: ledgertest.ID(0), Verb: command.Label, Text: "a cable"}
	if err := l.Step(t.Context(), func(tx *ledger.Tx) error { return tx.Command(&label) }); err != nil {
		t.Fatal(err)
	}
	if err := l.Retain(t.Context(), began+400*86400, ledger.Retention{Seconds: 1 << 40, Bytes: 700_000}); err != nil {
		t.Fatal(err)
	}
	list, total, err := l.Incidents(t.Context(), ledger.Query{Limit: 1000})
	if err != nil || total < 10 || total == 300 || list[0].ID != ledgertest.ID(299) || list[total-1].ID != ledgertest.ID(0) || list[total-2].ID == ledgertest.ID(1) {
		t.Fatalf("%d of 300 are left, %v", total, err)
	}
	if l.Close(); l.Bytes() > 700_000 {
		t.Errorf("the file has %d bytes, want at most 700,000", l.Bytes())
	}
}
