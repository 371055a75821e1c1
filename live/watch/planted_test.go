package watch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/internal/outfile"
)

// A symbolic link in place of a file of the state is refused by name, and nothing is written through it.
func TestPlantedLinks(t *testing.T) {
	for _, name := range []string{"journal/00000001.log", "journal/lock", "ledger.sqlite", "history/steps"} {
		state, victim := filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "victim")
		if err := os.WriteFile(victim, []byte("dear"), 0o600); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(state, name)
		if err := os.MkdirAll(filepath.Dir(link), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(victim, link); err != nil {
			t.Skip(err)
		}
		o := options(t, recorded(t), state)
		w, err := Open(t.Context(), o)
		if err == nil {
			w.Close()
		}
		if !errors.Is(err, outfile.ErrNoFile) {
			t.Errorf("%s: %v", name, err)
		}
		if data, err := os.ReadFile(victim); err != nil || string(data) != "dear" {
			t.Errorf("%s: the victim holds %q, %v", name, data, err)
		}
	}
}
