package watch

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
)

// TestBegunAnewAndKilled: a watch whose state cannot be used reads its files again and logs the
// rows. After a kill it continues there.
func TestBegunAnewAndKilled(t *testing.T) {
	dir, old := recorded(t), t.TempDir()
	o := options(t, dir, old)
	o.Once = true
	stopAfter(t, o, 300)

	o.Diagnose.Criteria.CostSeconds++ // a state of other settings cannot be used
	var said []string
	o.Report = func(text string) { said = append(said, text) }
	unused := t.TempDir()
	copyAll(t, old, unused)
	o.StateDir = unused
	whole := run(t.Context(), t, o)
	want, wantStanding := told(t, whole.Ledger()), standingText(t, whole)
	if !strings.Contains(strings.Join(said, "\n"), "starts again with the files") {
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
			copyAll(t, old, killed) // the files on disk at the time of a kill
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

// TestWordsAfterTheState: a command after the state was lost is stored beside the commands before.
func TestWordsAfterTheState(t *testing.T) {
	dir, state := recorded(t), t.TempDir()
	o := options(t, dir, state)
	o.Once = true
	o.Report = func(string) {}
	for round := range 3 {
		switch round {
		case 1: // a state of other settings cannot be used
			o.Diagnose.Criteria.CostSeconds++
		case 2:
			if err := os.RemoveAll(filepath.Join(state, journalDir)); err != nil {
				t.Fatal(err)
			}
		}
		w, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		said := false
		w.afterRow = func() {
			if said {
				return
			}
			said = true
			c := command.Command{Who: "ann", Verb: command.Mute, Name: w.d.Subject.System.Components[0].Name, Text: strconv.Itoa(round), Until: 4e9}
			if err := w.complete(&c); err != nil {
				t.Error(err)
			}
			w.execute(&c)
			w.settle(due{})
		}
		if err := w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		all, err := w.Ledger().Commands(t.Context(), 10)
		if err != nil || len(all) != round+1 || all[0].Text != strconv.Itoa(round) {
			t.Errorf("round %d: the ledger has %+v, %v", round, all, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func copyAll(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// TestAloneAgain: a process that was a node of a cluster meanwhile writes the events of its files
// behind the events of the cluster.
func TestAloneAgain(t *testing.T) {
	dir, state := recorded(t), t.TempDir()
	o := options(t, dir, state)
	o.Once = true
	o.Report = func(string) {}
	stopAfter(t, o, 300)
	l, err := ledger.Open(t.Context(), filepath.Join(state, "ledger.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	const cluster = 1000 // events
	before := l.LastEvent()
	err = l.Step(t.Context(), func(tx *ledger.Tx) error {
		if _, err := tx.Follow("cluster", 1); err != nil {
			return err
		}
		v := ledgertest.SentenceWriter()
		_, err := tx.Event(cluster, ledgertest.Event(ledgertest.Began, incident.Opened, ledgertest.Slow(v, 1, ledgertest.Began)), v)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	again := run(t.Context(), t, o).Ledger()
	o.StateDir = t.TempDir()
	whole := run(t.Context(), t, o).Ledger()
	if got, want := again.LastEvent()-cluster, whole.LastEvent()-before; got != want || before == 0 || want == 0 {
		t.Errorf("%d events are told after %d, want %d", got, before, want)
	}
}
