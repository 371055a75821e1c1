package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// TestActions: records of actions are numbered without a gap, and old actions are dropped with their
// records. An action that is not over stays.
func TestActions(t *testing.T) {
	l, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	put := func(seq int64, id string, ended int64) error {
		return l.Step(t.Context(), func(tx *Tx) error {
			text := json.RawMessage(fmt.Sprintf(`{"seq":%d}`, seq))
			return tx.AppendAction(&ActionChange{Record: &ActionRecord{Seq: seq, Action: id, Time: 100 + seq, Document: text}, Action: &Action{ID: id, Incident: "ec" + id, Ended: ended, Document: text}})
		})
	}
	for seq, a := range []struct {
		id    string
		ended int64
	}{{"1", 0}, {"1", 500}, {"3", 0}, {"4", 0}, {"4", 9_000_000}} {
		if err := put(int64(seq+1), a.id, a.ended); err != nil {
			t.Fatal(err)
		}
	}
	for _, seq := range []int64{5, 7, 1} {
		if err := put(seq, "9", 0); !errors.Is(err, ErrBehind) {
			t.Errorf("record %d: %v", seq, err)
		}
	}
	ids := func(list []Action, err error) (text string) {
		for _, a := range list {
			text += fmt.Sprintf("%s(%s,%d) ", a.ID, a.Incident, a.Ended)
		}
		if err != nil {
			t.Error(err)
		}
		return text
	}
	if got := ids(l.Actions(t.Context(), "", 10)); got != "4(ec4,9000000) 3(ec3,0) 1(ec1,500) " {
		t.Errorf("all: %s", got)
	}
	if got := ids(l.Actions(t.Context(), "ec3", 10)); got != "3(ec3,0) " {
		t.Errorf("of an incident: %s", got)
	}
	if err := l.Retain(t.Context(), 9_100_000, Retention{Seconds: 86400 * 2, Bytes: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	if got := ids(l.Actions(t.Context(), "", 10)); got != "4(ec4,9000000) 3(ec3,0) " {
		t.Errorf("after two days: %s", got)
	}
	for id, want := range map[string]int{"1": 0, "3": 1, "4": 2} {
		if list, err := l.ActionRecords(t.Context(), id, 10); err != nil || len(list) != want {
			t.Errorf("records of %s: %+v, %v", id, list, err)
		}
	}
	if err := l.Retain(t.Context(), 99_100_000, Retention{Seconds: 86400 * 2, Bytes: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	before, err := l.Position(t.Context())
	if err != nil || before.Actions != 5 {
		t.Errorf("%+v, %v", before, err)
	}
	if lost := (Position{Actions: 7}).Lost(before); !slices.Equal(lost, []string{"2 records of actions"}) {
		t.Errorf("lost %q", lost)
	}
	if err := put(6, "6", 0); err != nil {
		t.Errorf("a number is given twice, or left out: %v", err)
	}
}

// TestActionsOfACluster: a change of another node is stored once, and a copy of the present state
// replaces what the ledger does not have. Actions of before keep their records under another ID.
func TestActionsOfACluster(t *testing.T) {
	l, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	record := func(seq int64, id, text string) *ActionChange {
		return &ActionChange{Record: &ActionRecord{Seq: seq, Action: id, Document: []byte(text)}, Action: &Action{ID: id, Document: []byte(text)}}
	}
	step := func(do func(tx *Tx) error) {
		t.Helper()
		if err := l.Step(t.Context(), do); err != nil {
			t.Fatal(err)
		}
	}
	apply := func(c *ActionChange) { t.Helper(); step(func(tx *Tx) error { return tx.ApplyAction(c) }) }
	state := func() (text string) {
		t.Helper()
		list, err := l.Actions(t.Context(), "", 10)
		for _, a := range list {
			records, more := l.ActionRecords(t.Context(), a.ID, 10)
			err = errors.Join(err, more)
			text += fmt.Sprintf("%s=%s", a.ID, a.Document)
			for _, r := range records {
				text += fmt.Sprintf(",%s", r.Document)
			}
			text += " "
		}
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	wants := func(what, want string) {
		t.Helper()
		if got := state(); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	apply(record(1, "1", "10"))
	apply(record(2, "1", "11"))
	apply(record(2, "1", "99"))
	wants("a change twice", "1=11,10,11 ")
	apply(&ActionChange{Action: &Action{ID: "1", Document: []byte("98")}, Through: 2})
	wants("an old copy", "1=11,10,11 ")
	apply(&ActionChange{Action: &Action{ID: "3", Document: []byte("30")}, Through: 7})
	apply(&ActionChange{Switch: []byte("{}"), Through: 7})
	wants("a copy", "3=30 1=11,10,11 ")
	step(func(tx *Tx) error { return tx.AppendAction(record(8, "3", "31")) })
	for _, prefix := range []string{"a-", "b-"} {
		step(func(tx *Tx) error { return tx.PrefixActions(prefix) })
		step(func(tx *Tx) error { return tx.AppendAction(record(1, "1", "50")) })
		step(func(tx *Tx) error { return tx.AppendAction(record(2, "1", "51")) })
	}
	wants("joined twice", "1=51,50,51 b-1=51,50,51 a-3=31,31 a-1=11,10,11 ")
}
