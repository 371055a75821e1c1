package watch

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/live/journal"
)

// TestNewerState: a state that a newer version has saved is refused in one line with a cure, and is not changed. limpet
// check says the same.
func TestNewerState(t *testing.T) {
	o := options(t, recorded(t), t.TempDir())
	o.Once = true
	stopAfter(t, o, 100)
	j, r, err := journal.Open(filepath.Join(o.StateDir, journalDir), journal.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	m, err := recall(r.Meta)
	if err != nil {
		t.Fatal(err)
	}
	_, schema, err := m.subject()
	if err != nil {
		t.Fatal(err)
	}
	newer := strings.Replace(string(r.Meta), `"version":1`, `"version":99`, 1)
	if err := errors.Join(j.Snapshot(schema, []byte(newer), r.Blob), j.Close()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := opens(t, o); !errors.Is(err, engine.ErrNewer) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "install the newer version again, or move the journal ("+filepath.Join(o.StateDir, journalDir)+")") {
			t.Errorf("it is opened: %v", err)
		}
	}
	if found, err := Inspect(t.Context(), o.StateDir); err != nil || !errors.Is(found.Refused, engine.ErrNewer) {
		t.Errorf("check: %v, %+v", err, found)
	}
}
