package watch

import (
	"os"
	"strings"
	"testing"
)

// TestBegunAnewAndKilled: a watch whose state cannot be used reads files again, and logs
// what it reads: after a kill it goes on there as if nothing had happened.
func TestBegunAnewAndKilled(t *testing.T) {
	dir, old := recorded(t), t.TempDir()
	o := options(t, dir, old)
	o.Once = true
	stopAfter(t, o, 300)

	o.Diagnose.Slow.CostSeconds++ // a state of other settings is of no use
	var said []string
	o.Report = func(text string) { said = append(said, text) }
	unused := t.TempDir()
	copyAll(t, old, unused)
	o.StateDir = unused
	whole := run(t.Context(), t, o)
	want, wantStanding := told(t, whole.Ledger()), standingText(t, whole)
	if !strings.Contains(strings.Join(said, "\n"), "begun anew") {
		t.Fatalf("the state was used: %q", said)
	}

	killed := t.TempDir()
	o.StateDir = old
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	w.afterRow = func() {
		if rows++; rows == 500 {
			copyAll(t, old, killed) // what is on the disk when it is killed
		}
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	o.StateDir, said = killed, nil
	last := run(t.Context(), t, o)
	if len(said) > 0 {
		t.Errorf("it goes on with: %q", said)
	}
	same(t, "what was told", told(t, last.Ledger()), want)
	same(t, "how things stand", standingText(t, last), wantStanding)
}

func copyAll(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}
