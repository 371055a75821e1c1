package watch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/live/announce"
)

// ledgerPath returns the path of the ledger in a state directory.
func ledgerPath(state string) string { return filepath.Join(state, "ledger.sqlite") }

// opens opens a watch and closes it again. It returns the damage that the watch reports.
func opens(t *testing.T, o Options) (damage string, err error) {
	t.Helper()
	w, err := Open(t.Context(), o)
	if err != nil {
		return "", err
	}
	defer w.Close()
	return damageOf(w), nil
}

// damageOf returns the text of the trouble "damage" in the standing of a watch.
func damageOf(w *Watch) string {
	list := w.Standing().Troubles
	if at := slices.IndexFunc(list, func(one announce.Trouble) bool { return one.Kind == "damage" }); at >= 0 {
		return list[at].Text
	}
	return ""
}

// TestLostLedger: a state without its ledger is refused, and nothing is changed. It goes on with a new ledger if the
// options allow this, and reports the loss.
func TestLostLedger(t *testing.T) {
	dir, whole, other := recorded(t), t.TempDir(), t.TempDir()
	o := options(t, dir, whole)
	o.Once = true
	stopAfter(t, o, 300)
	o.StateDir = other
	stopAfter(t, o, 300)
	remove := func(t *testing.T, path string) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		harm func(t *testing.T, path string)
		is   string
	}{
		"missing": {remove, " is missing"},
		"empty": {func(t *testing.T, path string) {
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		}, " is empty"},
		"foreign": {func(t *testing.T, path string) {
			remove(t, path)
			copyFile(t, ledgerPath(other), path)
		}, " is "},
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			copyAll(t, whole, state)
			c.harm(t, ledgerPath(state))
			before, _ := os.ReadFile(ledgerPath(state))
			o := o
			o.StateDir = state
			var warned []string
			o.Warn = func(text string) { warned = append(warned, text) }
			_, err := opens(t, o)
			if !errors.Is(err, announce.ErrLedgerLost) || !strings.Contains(err.Error(), "the ledger "+ledgerPath(state)+c.is) || !strings.Contains(err.Error(), "--new-ledger") {
				t.Errorf("it is opened: %v", err)
			}
			if after, _ := os.ReadFile(ledgerPath(state)); len(after) != len(before) {
				t.Error("a refusal has changed the ledger")
			}
			o.NewLedger = true
			damage, err := opens(t, o)
			if err != nil || !strings.Contains(damage, "the ledger "+ledgerPath(state)+c.is) || !slices.Equal(warned, []string{"damage: " + damage}) {
				t.Errorf("with a new ledger: %v, damage %q, warned %q", err, damage, warned)
			}
			o.NewLedger = false
			if damage, err := opens(t, o); err != nil || damage != "" {
				t.Errorf("the state with its new ledger: %v, damage %q", err, damage)
			}
		})
	}
}

// TestOlderLedger: events that an older copy of the ledger lacks are reported as damage.
func TestOlderLedger(t *testing.T) {
	dir, state, old := recorded(t), t.TempDir(), t.TempDir()
	o := options(t, dir, state)
	o.Once = true
	stopAfter(t, o, 100)
	copyAll(t, state, old)
	run(t.Context(), t, o).Close()
	if damage, err := opens(t, o); err != nil || damage != "" {
		t.Fatalf("the whole state: %v, damage %q", err, damage)
	}
	if err := os.Remove(ledgerPath(state)); err != nil {
		t.Fatal(err)
	}
	copyFile(t, ledgerPath(old), ledgerPath(state))
	if damage, err := opens(t, o); err != nil || !strings.Contains(damage, "is older than the journal beside it: events 1 to ") {
		t.Errorf("an older ledger: %v, damage %q", err, damage)
	}
}
