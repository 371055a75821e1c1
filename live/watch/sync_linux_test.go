package watch

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/faultfs"
)

// TestRowsThatComeTogetherAreSyncedTogether: rows of a backlog are synced with the last available one. A row that
// comes alone is synced by itself.
func TestRowsThatComeTogetherAreSyncedTogether(t *testing.T) {
	disk := faultfs.Mount(t)
	o := options(t, recorded(t), t.TempDir())
	here := filepath.Join(o.StateDir, journalDir)
	if err := os.Mkdir(here, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount(disk.Dir, here, "", unix.MS_BIND, ""); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(here, unix.MNT_DETACH) })
	o.Once = true
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.live = true
	var synced atomic.Int64
	disk.Before(func(op faultfs.Op, name string) {
		if op == faultfs.Fsync && strings.HasSuffix(name, ".log") {
			synced.Add(1)
		}
	})
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := synced.Load(); n == 0 || n > w.rows/2 {
		t.Errorf("%d rows were synced %d times", w.rows, n)
	}
	for n := range int64(3) {
		before := synced.Load()
		row := rowAfter(w, w.d.Subject.Schema)
		w.log(row, n == 1)
		if got := synced.Load() - before; (got == 1) != (n != 1) {
			t.Errorf("row %d: synced %d times", n, got)
		}
		w.row = row.End
	}
}

// rowAfter returns an empty row behind the last.
func rowAfter(w *Watch, s table.Schema) *table.Row {
	row := table.NewRow(s)
	row.End = w.row + s.StepSeconds
	return row
}
