package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
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

// restoreLedger copies a ledger and its checksums from one state to another.
func restoreLedger(t *testing.T, from, to string) {
	t.Helper()
	for _, suffix := range []string{"", "-sum"} {
		if err := os.Remove(ledgerPath(to) + suffix); err != nil {
			t.Fatal(err)
		}
		copyFile(t, ledgerPath(from)+suffix, ledgerPath(to)+suffix)
	}
}

// damageOf returns the text of the trouble "damage" in the standing of a watch.
func damageOf(w *Watch) string {
	list := w.Result().Troubles
	if at := slices.IndexFunc(list, func(one announce.Trouble) bool { return one.Kind == "damage" }); at >= 0 {
		return list[at].Text
	}
	return ""
}

// TestLostLedger: a state without its ledger is refused, and nothing is changed. It goes on with a
// new ledger if the options allow this, and reports the loss.
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
		harm         func(t *testing.T, path string)
		is, accepted string // what the error and the trouble "damage" say of the ledger
	}{
		"missing": {remove, " is missing", " is missing"},
		"empty": {func(t *testing.T, path string) {
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		}, " is empty", " is empty"},
		"foreign": {func(t *testing.T, path string) {
			restoreLedger(t, other, filepath.Dir(path))
		}, " does not belong to the journal in the same directory", " belongs to another saved state"},
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
			if !errors.Is(err, announce.ErrLedgerLost) || !strings.Contains(err.Error(), "the ledger (file "+ledgerPath(state)+")"+c.is) || !strings.Contains(err.Error(), "--new-ledger") {
				t.Errorf("it is opened: %v", err)
			}
			if after, _ := os.ReadFile(ledgerPath(state)); len(after) != len(before) {
				t.Error("a refusal has changed the ledger")
			}
			o.NewLedger = true
			damage, err := opens(t, o)
			if err != nil || !strings.Contains(damage, "the ledger (file "+ledgerPath(state)+")"+c.accepted) || !slices.Equal(warned, []string{"damage: " + damage}) {
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
	restoreLedger(t, old, state)
	if damage, err := opens(t, o); err != nil || !strings.Contains(damage, "is older than the journal in the same directory: the ledger has lost events 1 to ") {
		t.Errorf("an older ledger: %v, damage %q", err, damage)
	}
}

// acts executes an operator's command on the first open incident, as Apply does between two rows.
func acts(t *testing.T, w *Watch, verb command.Verb, text string) {
	t.Helper()
	known := w.d.Engine.Summary(incident.Combined).Incidents
	at := slices.IndexFunc(known, func(in incident.Incident) bool { return in.Phase == incident.Active })
	if at < 0 {
		t.Fatal("no incident is active")
	}
	c := command.Command{Who: "ann", Verb: verb, Incident: known[at].ID, Text: text}
	if verb == command.Mute {
		c.Until = w.row + 1800
	}
	if err := w.complete(&c); err != nil {
		t.Fatal(err)
	}
	c.Time = w.row + 40 // rows come later than their time
	if err := w.logCommand(&c); err != nil {
		t.Fatal(err)
	}
	w.execute(&c)
	w.settle(due{})
}

// commandsOf prints the commands in the ledger of a watch.
func commandsOf(t *testing.T, w *Watch) string {
	t.Helper()
	list, err := w.Ledger().Commands(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%+v", list)
}

// killedState runs a watch to the end of its files. A person mutes, comments and labels meanwhile.
// killedState returns the watch, and a state directory with the files that a kill after 600 rows
// leaves.
func killedState(t *testing.T, o Options) (whole *Watch, killed string) {
	t.Helper()
	killed = filepath.Join(t.TempDir(), "state")
	o.StateDir = t.TempDir()
	whole, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { whole.Close() })
	whole.afterRow = func() {
		switch whole.rows {
		case 310:
			acts(t, whole, command.Comment, "ticket 4711")
		case 500:
			acts(t, whole, command.Mute, "")
		case 510:
			acts(t, whole, command.Comment, "a spare is on its way")
			acts(t, whole, command.Label, "a controller")
		case 600:
			copyAll(t, o.StateDir, killed)
		}
	}
	if err := whole.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return whole, killed
}

// eachFile does something to files of the journal in a state directory.
func eachFile(t *testing.T, state, pattern string, do func(path string, size int64) error) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(state, journalDir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		info, err := os.Stat(path)
		if err == nil {
			err = do(path, info.Size())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// flip changes a bit in the middle of a file.
func flip(path string, size int64) error {
	data, err := os.ReadFile(path)
	if err == nil {
		data[size/2] ^= 1
		err = os.WriteFile(path, data, 0o600)
	}
	return err
}

// halve cuts a file in half.
func halve(path string, size int64) error { return os.Truncate(path, size/2) }

// TestDamagedJournal: whatever of the journal is damaged after a kill, the commands of people are
// executed, no event is written twice, nothing is sent twice, and the damage is reported.
func TestDamagedJournal(t *testing.T) {
	dir := recorded(t)
	o := options(t, dir, "")
	o.Once = true
	whole, killed := killedState(t, o)
	want, wantStanding, wantCommands := told(t, whole.Ledger()), standingText(t, whole), commandsOf(t, whole)
	for name, c := range map[string]struct {
		harm   func(t *testing.T, state string)
		damage string
	}{
		"log cut in half": {func(t *testing.T, state string) { eachFile(t, state, "*.log", halve) }, "but the ledger has 4 events and 3 commands that the journal does not have"},
		"last command cut off": {func(t *testing.T, state string) {
			eachFile(t, state, "*.log", func(path string, size int64) error { return os.Truncate(path, size*75/100) })
		}, "but the ledger has "},
		"log flipped": {func(t *testing.T, state string) { eachFile(t, state, "*.log", flip) }, " is damaged at byte "},
		"log gone": {func(t *testing.T, state string) {
			eachFile(t, state, "*.log", func(path string, _ int64) error { return os.Remove(path) })
		}, "00000001.log is missing"},
		"snapshot flipped": {func(t *testing.T, state string) { eachFile(t, state, "*.snapshot", flip) }, "limpet can read no snapshot of the journal in "},
		"journal gone": {func(t *testing.T, state string) {
			if err := os.RemoveAll(filepath.Join(state, journalDir)); err != nil {
				t.Fatal(err)
			}
		}, "/journal is missing, but the ledger has "},
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			copyAll(t, killed, state)
			c.harm(t, state)
			o := o
			o.StateDir = state
			var warned []string
			o.Warn = func(text string) { warned = append(warned, text) }
			w := run(t.Context(), t, o)
			same(t, "what was told", told(t, w.Ledger()), want)
			same(t, "how things stand", withoutWarnings(standingOf(t, w)), withoutWarnings(wantStanding))
			same(t, "the commands", commandsOf(t, w), wantCommands)
			if damage := damageOf(w); !strings.Contains(damage, c.damage) || !strings.Contains(strings.Join(warned, "\n"), c.damage) {
				t.Errorf("damage %q, warned %q, want %q", damage, warned, c.damage)
			}
			if w.known != nil || len(w.unexecuted) > 0 {
				t.Errorf("%+v, %+v are left", w.known, w.unexecuted)
			}
		})
	}
}

// TestDamagedJournalAndKilled: a watch that reads rows again after damage, and is killed meanwhile,
// loses nothing and repeats nothing.
func TestDamagedJournalAndKilled(t *testing.T) {
	dir := recorded(t)
	o := options(t, dir, "")
	o.Once = true
	whole, killed := killedState(t, o)
	want, wantStanding, wantCommands := told(t, whole.Ledger()), standingText(t, whole), commandsOf(t, whole)
	after := []int64{1, 100, 200, 400} // rows
	if testing.Short() {
		after = []int64{1, 400}
	}
	for name, harm := range map[string]func(t *testing.T, state string){
		"log cut in half":  func(t *testing.T, state string) { eachFile(t, state, "*.log", halve) },
		"snapshot flipped": func(t *testing.T, state string) { eachFile(t, state, "*.snapshot", flip) },
	} {
		for _, rows := range after {
			t.Run(fmt.Sprintf("%s, %d rows", name, rows), func(t *testing.T) {
				state, again := t.TempDir(), t.TempDir()
				copyAll(t, killed, state)
				harm(t, state)
				o := o
				o.StateDir = state
				w, err := Open(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				defer w.Close()
				before := w.rows
				w.afterRow = func() {
					if w.rows == before+rows {
						copyAll(t, state, again)
					}
				}
				if err := w.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				o.StateDir = again
				last := run(t.Context(), t, o)
				same(t, "what was told", told(t, last.Ledger()), want)
				same(t, "how things stand", withoutWarnings(standingText(t, last)), withoutWarnings(wantStanding))
				same(t, "the commands", commandsOf(t, last), wantCommands)
			})
		}
	}
}

// TestNewLedgerWithCommands: a new ledger takes the commands in the journal, even if it does not
// have the incident that a command names.
func TestNewLedgerWithCommands(t *testing.T) {
	o := options(t, recorded(t), "")
	o.Once = true
	_, o.StateDir = killedState(t, o)
	if err := os.Remove(ledgerPath(o.StateDir)); err != nil {
		t.Fatal(err)
	}
	o.NewLedger = true
	w := run(t.Context(), t, o)
	if list := w.Result().Troubles; len(list) != 1 || list[0].Kind != "damage" {
		t.Errorf("troubles %+v", list)
	}
	list, err := w.Ledger().Commands(t.Context(), 100)
	if err != nil || len(list) != 4 {
		t.Errorf("commands %+v, %v", list, err)
	}
	if len(w.pending) > 0 || w.Ledger().LastEvent() != w.events {
		t.Errorf("%d writes wait; the ledger has event %d of %d", len(w.pending), w.Ledger().LastEvent(), w.events)
	}
}

// TestLostHistory: files of the history that are missing are reported as damage, until the next
// snapshot.
func TestLostHistory(t *testing.T) {
	o := options(t, recorded(t), t.TempDir())
	o.Once = true
	stopAfter(t, o, 600)
	steps, err := filepath.Glob(filepath.Join(o.StateDir, "history", "steps", "*.parquet"))
	if err != nil || len(steps) < 2 {
		t.Fatal(steps, err)
	}
	if damage, err := opens(t, o); err != nil || damage != "" {
		t.Fatalf("the whole state: %v, damage %q", err, damage)
	}
	for want, path := range map[string]string{
		"/history ends at 2026-03-01 02:00:00 UTC, but time steps were written up to 2026-03-01 02:30:": steps[len(steps)-1],
		"/history has no time steps, but time steps were written up to 2026-03-01 02:30:":               filepath.Join(o.StateDir, "history"),
	} {
		lost := o
		lost.StateDir = t.TempDir()
		copyAll(t, o.StateDir, lost.StateDir)
		if err := os.RemoveAll(strings.Replace(path, o.StateDir, lost.StateDir, 1)); err != nil {
			t.Fatal(err)
		}
		w := run(t.Context(), t, lost)
		if damage := damageOf(w); !strings.Contains(damage, want) {
			t.Errorf("damage %q, want %q", damage, want)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if damage, err := opens(t, lost); err != nil || damage != "" {
			t.Errorf("after a snapshot: %v, damage %q", err, damage)
		}
	}
}

// TestBegunAnewTellsOnce: an engine that begins anew with the last hours of the files finds the
// incidents of the ledger at other times than before. The ledger has each of them as opened once,
// and no receiver is told again.
func TestBegunAnewTellsOnce(t *testing.T) {
	o := options(t, recorded(t), "")
	o.Once = true
	whole, killed := killedState(t, o)
	o.StateDir, o.RereadSeconds = killed, 5400
	o.Diagnose.Criteria.CostSeconds++ // a state of other settings cannot be used
	w := run(t.Context(), t, o)
	opened := func(w *Watch) string {
		list, err := w.Ledger().Events(t.Context(), 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		all := []string{}
		for _, e := range list {
			if e.Change == incident.Opened {
				all = append(all, fmt.Sprintf("%d %d", e.Seq, e.Number))
			}
		}
		return strings.Join(all, "\n")
	}
	same(t, "opened", opened(w), opened(whole))
	queue := func(w *Watch) string {
		list, err := w.Ledger().Queue(t.Context(), "log", 1000)
		if err != nil {
			t.Fatal(err)
		}
		all := []string{}
		for _, d := range list {
			all = append(all, d.Key)
		}
		return strings.Join(all, "\n")
	}
	same(t, "notifications", queue(w), queue(whole))
	same(t, "commands", commandsOf(t, w), commandsOf(t, whole))
	if damage := damageOf(w); damage != "" {
		t.Errorf("other settings are no damage: %q", damage)
	}
}

// TestAnewEndsNothingEarly: an engine that began anew does not have the incidents of the ledger
// yet, while it reads rows whose results the ledger has. No incident is ended because of that.
func TestAnewEndsNothingEarly(t *testing.T) {
	o := options(t, recorded(t), t.TempDir())
	o.Once = true
	killed := filepath.Join(t.TempDir(), "state")
	whole, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	whole.afterRow = func() {
		if whole.rows == 300 { // an alert fires
			copyAll(t, o.StateDir, killed)
		}
	}
	if err := whole.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	eachFile(t, killed, "*.snapshot", flip)
	o.StateDir = killed
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.live = true // as if all files had been read
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, "what was told", told(t, w.Ledger()), told(t, whole.Ledger()))
}
