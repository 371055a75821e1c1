package watch

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// small returns a file system that is soon full. Only root may make one.
func small(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("limpet", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// fill takes all the space that is left.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for buf := make([]byte, 1<<16); len(buf) > 0; {
		if _, err := f.Write(buf); err != nil {
			buf = buf[:len(buf)/2]
		}
	}
}

// TestDiskFullForTenMinutes: no event of the time when the disk was full is lost, and a trouble
// reports the full disk.
func TestDiskFullForTenMinutes(t *testing.T) {
	dir := recorded(t)
	o := options(t, dir, t.TempDir())
	o.Once = true
	want := run(t.Context(), t, o)

	state := small(t, "size=64m")
	o.StateDir = filepath.Join(state, "state")
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	balloon := filepath.Join(state, "balloon")
	opened := want.Result().Incidents[0].Confirmed // the disk is full when this is told
	var troubles []string
	w.afterRow = func() {
		switch w.row {
		case opened - 300:
			fill(t, balloon)
		case opened + 300:
			for _, trouble := range w.store.Troubles.All() {
				troubles = append(troubles, trouble.Kind)
			}
			if err := os.Remove(balloon); err != nil {
				t.Error(err)
			}
		}
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(troubles, "journal") && !slices.Contains(troubles, "ledger") {
		t.Errorf("a full disk is not said: %v", troubles)
	}
	// No notification can be sent before its event is written.
	when := regexp.MustCompile(`(told .*) at \d+`)
	same(t, "what was told", when.ReplaceAllString(told(t, w.Ledger()), "$1"), when.ReplaceAllString(told(t, want.Ledger()), "$1"))
	same(t, "how things stand", standingText(t, w), standingText(t, want))
}

// TestStaysFull: while the disk is full, no trouble is reported as over.
func TestStaysFull(t *testing.T) {
	dir := recorded(t)
	state := small(t, "size=64m")
	o := options(t, dir, filepath.Join(state, "state"))
	o.Once, o.SnapshotBytes = true, 256<<10 // many snapshots
	var said, early []string
	full := false
	note := func(text string) {
		said = append(said, text)
		if full && strings.Contains(text, "the problem is solved") {
			early = append(early, text)
		}
	}
	o.Report, o.Warn = note, note
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	balloon := filepath.Join(state, "balloon")
	w.afterRow = func() {
		switch w.rows {
		case 230:
			full = true
			fill(t, balloon)
		case 700:
			full = false
			if err := os.Remove(balloon); err != nil {
				t.Error(err)
			}
		}
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(early) > 0 {
		t.Errorf("while the disk is full: %q", early)
	}
	for _, kind := range []string{"history", "journal", "ledger"} {
		begins := func(text string) bool { return strings.HasPrefix(text, kind+": ") }
		if !slices.ContainsFunc(said, begins) || !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, kind+": the problem is solved: ") }) {
			t.Errorf("%s: %.1000q", kind, said)
		}
	}
	if list := w.Result().Troubles; len(list) > 0 {
		t.Errorf("troubles at the end: %v", list)
	}
}

// A state that continues after the disk was full is complete.
func TestGoesOnAfterADiskWasFull(t *testing.T) {
	dir := recorded(t)
	o := options(t, dir, t.TempDir())
	o.Once = true
	want := run(t.Context(), t, o)

	state := small(t, "size=64m")
	o.StateDir = filepath.Join(state, "state")
	ctx, stop := context.WithCancel(t.Context())
	w, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	w.afterRow = func() {
		switch w.rows {
		case 300:
			fill(t, filepath.Join(state, "balloon"))
		case 350:
			stop() // it cannot even save
		}
	}
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
	_ = w.Close() // so it may fail to
	if err := os.Remove(filepath.Join(state, "balloon")); err != nil {
		t.Fatal(err)
	}
	last := run(t.Context(), t, o)
	same(t, "what was told", told(t, last.Ledger()), told(t, want.Ledger()))
	// The second process reads again which components the files have: the first one could not save
	// that.
	same(t, "how things stand", withoutWarnings(standingText(t, last)), withoutWarnings(standingText(t, want)))
}
