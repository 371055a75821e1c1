package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/topology"
)

// hours is long enough for an incident to begin, to be repaired, and to be over.
const hours = 4

// recorded writes some hours of the records of the demonstration's servers, in which a LUN is slow
// for an hour and a controller fails. It returns their directory.
func recorded(tb testing.TB) string {
	tb.Helper()
	recordings.Lock()
	defer recordings.Unlock()
	if recordings.dir == "" {
		dir, err := os.MkdirTemp("", "watch")
		if err != nil {
			tb.Fatal(err)
		}
		recordings.dir = dir
		recordDemo(tb, dir)
	}
	dir := tb.TempDir()
	if err := os.CopyFS(dir, os.DirFS(recordings.dir)); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// recordings has the directory of the first test that needed one. The others copy it, as
// simulating its hours takes longer. TestMain removes it.
var recordings struct {
	sync.Mutex
	dir string
}

// recordDemo writes what recorded returns.
func recordDemo(tb testing.TB, dir string) {
	tb.Helper()
	s := arrays.Demo(1)
	at := func(minutes int) time.Time { return s.Start.Add(time.Duration(minutes) * time.Minute) }
	s.End, s.Compressed = at(60*hours), nil
	s.Events = []arrays.Event{
		{From: at(30), To: at(80), Mechanism: arrays.SlowLUN{LUN: "1.07", Factor: 5}},
		{From: at(60), To: s.End, Mechanism: arrays.FailedController{Controller: "ddn2a"}},
	}
	if _, err := s.Write(tb.Context(), dir, nil); err != nil {
		tb.Fatal(err)
	}
}

// options watch a recorded directory, and send one receiver all alerts from the first row on.
func options(tb testing.TB, dir, state string) Options {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(dir, simulate.TopologyFile))
	if err != nil {
		tb.Fatal(err)
	}
	system, _, err := topology.Parse(simulate.TopologyFile, text)
	if err != nil {
		tb.Fatal(err)
	}
	o := DefaultOptions()
	o.Paths, o.StateDir, o.System = []string{filepath.Join(dir, "activity")}, state, system
	o.Alert.Receivers = []alert.Receiver{{Name: "log"}}
	o.Version, o.Now = "1.2.3", time.Now
	o.Alert.QuietBefore = arrays.Demo(1).Start.Unix()
	return o
}

// run opens a watch and runs it to the end of its files, or until the context ends.
func run(ctx context.Context, tb testing.TB, o Options) *Watch {
	tb.Helper()
	w, err := Open(ctx, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := w.Close(); err != nil {
			tb.Error(err)
		}
	})
	if err := w.Run(ctx); err != nil {
		tb.Fatal(err)
	}
	return w
}

// told prints the content of a ledger: events, incidents and notifications.
func told(tb testing.TB, l *ledger.Ledger) string {
	tb.Helper()
	ctx := context.Background()
	events, err := l.Events(ctx, 0, 10_000)
	if err != nil {
		tb.Fatal(err)
	}
	queue, err := l.Queue(ctx, "log", 10_000)
	if err != nil {
		tb.Fatal(err)
	}
	incidents, total, err := l.Incidents(ctx, ledger.Query{Limit: 1000})
	if err != nil || total != len(incidents) {
		tb.Fatal(total, err)
	}
	out := ""
	for _, e := range events {
		out += fmt.Sprintf("event %d at %d: %s %s\n", e.Seq, e.Time, e.Change, e.Sentence)
	}
	for _, in := range incidents {
		out += fmt.Sprintf("incident %d %s %s %s\n", in.Number, in.ID, in.Phase, in.Document)
	}
	for _, d := range queue {
		var n alert.Notification
		if err := json.Unmarshal(d.Payload, &n); err != nil {
			tb.Fatal(err)
		}
		out += fmt.Sprintf("told %d %s at %d: %s %s %s\n", d.Number, d.Alert, d.Time, n.State, n.Reason, n.Headline)
	}
	return out
}

// A watch gives the same report as a diagnosis of the same files, however often it was stopped and
// opened again.
func TestStopsAndGoesOn(t *testing.T) {
	dir := recorded(t)
	o := options(t, dir, t.TempDir())
	o.Once = true
	whole := run(t.Context(), t, o)
	want, wantStanding := told(t, whole.Ledger()), standingText(t, whole)
	for _, what := range []string{"opened", "cleared", "firing", "resolved"} {
		if !strings.Contains(want, what) {
			t.Fatalf("nothing was %s", what)
		}
	}

	o.StateDir = t.TempDir()
	for at := range 4 {
		stopAfter(t, o, int64(50+150*at))
	}
	last := run(t.Context(), t, o)
	same(t, "what was told", told(t, last.Ledger()), want)
	same(t, "how things stand", standingText(t, last), wantStanding)
}

// same shows the first line that differs.
func same(tb testing.TB, what, got, want string) {
	tb.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			tb.Errorf("%s differs in line %d of %d and %d:\n%.300s\nwant\n%.300s", what, i, len(g), len(w), strings.Join(g[min(i, len(g)):], "\n"), strings.Join(w[min(i, len(w)):], "\n"))
			return
		}
	}
}

// A copy that was made while the watch ran continues by itself.
func TestBackup(t *testing.T) {
	dir := recorded(t)
	o := options(t, dir, t.TempDir())
	o.Once = true
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	copied, done := filepath.Join(t.TempDir(), "copy"), make(chan error, 1)
	w.afterRow = func() {
		if w.rows == 400 {
			go func() { done <- w.Backup(t.Context(), copied) }()
		}
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	o.StateDir = copied
	again := run(t.Context(), t, o)
	same(t, "what was told", told(t, again.Ledger()), told(t, w.Ledger()))
	same(t, "how things stand", withoutWarnings(standingText(t, again)), withoutWarnings(standingText(t, w)))
}

// A server that has no data yet can be copied too. The copy begins with the same files.
func TestBackupWithoutData(t *testing.T) {
	o := options(t, recorded(t), t.TempDir())
	filled := o.Paths
	o.Paths = []string{t.TempDir()}
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	copied := filepath.Join(t.TempDir(), "copy")
	if err := w.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	o.Paths, o.Once, o.StateDir = filled, true, copied
	fromCopy := told(t, run(t.Context(), t, o).Ledger())
	o.StateDir = t.TempDir()
	same(t, "what was told", fromCopy, told(t, run(t.Context(), t, o).Ledger()))
}

// TestBackupOfUnusedState: a watch that could not use its state is not copied before its first row.
// A copy without the journal would look damaged, and the journal of the old state does not belong to
// the ledger. After the data, the copy is complete.
func TestBackupOfUnusedState(t *testing.T) {
	o := options(t, recorded(t), t.TempDir())
	o.Once = true
	stopAfter(t, o, 300)
	filled := o.Paths
	o.Paths, o.Once, o.Report = []string{t.TempDir()}, false, func(string) {}
	o.Diagnose.Criteria.CostSeconds++ // a state of other settings cannot be used
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	if err := w.Backup(t.Context(), filepath.Join(t.TempDir(), "copy")); err == nil || !strings.Contains(err.Error(), "try again after the first data") {
		t.Errorf("the backup before the first data: %v", err)
	}
	stop()
	if err := errors.Join(<-ended, w.Close()); err != nil {
		t.Fatal(err)
	}

	o.Paths, o.Once = filled, true
	if w, err = Open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	copied, done := filepath.Join(t.TempDir(), "copy"), make(chan error, 1)
	w.afterRow = func() {
		if w.rows == 1 {
			go func() { done <- w.Backup(t.Context(), copied) }()
		}
	}
	if err := errors.Join(w.Run(t.Context()), <-done); err != nil {
		t.Fatal(err)
	}
	if found, err := Inspect(t.Context(), copied); err != nil || found.Refused != nil || len(found.Damage) > 0 {
		t.Errorf("check: %v, %+v", err, found)
	}
}

// withoutWarnings removes warnings that depend on the files that one process has read.
func withoutWarnings(text string) string {
	text, _, _ = strings.Cut(text, `"warnings"`)
	return text
}

// stopAfter runs a watch for the given number of rows.
func stopAfter(t *testing.T, o Options, rows int64) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	w, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	w.afterRow = func() {
		if w.rows >= rows {
			stop()
		}
	}
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func standingText(tb testing.TB, w *Watch) string {
	tb.Helper()
	if s := w.Result(); len(s.Troubles) > 0 {
		tb.Errorf("troubles: %v", s.Troubles)
	}
	return standingOf(tb, w)
}

// standingOf prints how things stand, whatever the troubles are.
func standingOf(tb testing.TB, w *Watch) string {
	tb.Helper()
	s := w.Result()
	var out textBuilder
	if err := report.WriteJSON(&out, s.Subject, s.Result); err != nil {
		tb.Fatal(err)
	}
	return string(out)
}

type textBuilder []byte

func (b *textBuilder) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}
