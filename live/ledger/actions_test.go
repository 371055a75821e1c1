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
			return tx.AppendAction(ActionRecord{Seq: seq, Action: id, Time: 100 + seq, Document: text}, &Action{ID: id, Incident: "ec" + id, Ended: ended, Document: text})
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
