package ledger

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/internal/sqlfile"
)

// TestCommandsOfTheFirstForm: a ledger of the first form is read. Its commands have neither row nor components.
func TestCommandsOfTheFirstForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	first := form
	first.Migrations = form.Migrations[:1]
	old, err := sqlfile.Open(t.Context(), path, first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.Write(t.Context(), func(tx *sqlfile.Tx) error {
		return tx.Exec(`INSERT INTO feedback (key, time, who, verb, target, text, cause, until) VALUES ('word 9', 1000, 'ann', 'mute', 'fs1', '', '', 2000)`)
	}); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	next := command.Command{Number: 10, Key: "word 10", Time: 1100, Who: "bob", Verb: command.Comment, Name: "fs1", Components: []string{"fs1/sda", "fs1/sdb"}, Text: "ticket"}
	if err := l.Step(t.Context(), func(tx *Tx) error { return tx.CommandAfter(1095, &next) }); err != nil {
		t.Fatal(err)
	}
	list, err := l.CommandsAfter(t.Context(), 8)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if c := list[0]; c.Number != 9 || c.Verb != command.Mute || c.Name != "fs1" || c.Until != 2000 || c.Row != 0 || c.Components != nil {
		t.Errorf("the command of before is %+v", c)
	}
	if c := list[1]; c.Number != 10 || c.Row != 1095 || c.Text != "ticket" || !slices.Equal(c.Components, next.Components) {
		t.Errorf("the command is %+v", c)
	}
	if list, err := l.CommandsAfter(t.Context(), 10); err != nil || len(list) > 0 {
		t.Errorf("after the last: %+v, %v", list, err)
	}
}
