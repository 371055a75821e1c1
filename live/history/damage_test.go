package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
)

// TestDamagedSegment: what cannot be read is one sentence; the rest answers.
func TestDamagedSegment(t *testing.T) {
	w := newTwin(t, 7, DefaultOptions())
	for range 4 * 240 {
		w.push(t)
	}
	must(t, w.store.Flush())
	name := w.system.Components[0].Name
	before, err := w.store.Series(context.Background(), name, "await", start, w.now, 200)
	must(t, err)
	path := files(t, w.dir, "steps")[1]
	b, err := os.ReadFile(path)
	must(t, err)
	for i := range b {
		b[i] ^= 0x55
	}
	must(t, os.WriteFile(path, b, 0o600))
	w.reopen(t)
	after, err := w.store.Series(context.Background(), name, "await", start, w.now, 200)
	must(t, err)
	if len(after.Troubles) != 1 || !strings.Contains(after.Troubles[0], path+" cannot be read (the file is damaged), so the history has no data from 2011-05-09 0") || len(w.store.Troubles()) != 1 {
		t.Errorf("%q", after.Troubles)
	}
	if len(after.Buckets) >= len(before.Buckets) || len(after.Buckets) < len(before.Buckets)/2 {
		t.Errorf("%d buckets of %d are left", len(after.Buckets), len(before.Buckets))
	}
	must(t, os.Remove(path)) // somebody else
	after, err = w.store.Series(context.Background(), name, "await", start, w.now, 200)
	must(t, err)
	if len(after.Troubles) != 1 || !strings.Contains(after.Troubles[0], "no such file") {
		t.Errorf("%q", after.Troubles)
	}
}

// TestCutSegment: a file that was cut off is reported when the store is opened, and in every
// answer, also if it was cut off while it is in use. A whole copy in its place ends the trouble.
func TestCutSegment(t *testing.T) {
	w := newTwin(t, 7, DefaultOptions())
	for range 4 * 240 {
		w.push(t)
	}
	must(t, w.store.Flush())
	name, path := w.system.Components[0].Name, files(t, w.dir, "steps")[1]
	ask := func() []string {
		got, err := w.store.Series(context.Background(), name, "await", start, w.now, 200)
		must(t, err)
		return got.Troubles
	}
	says := func(list []string) bool {
		return len(list) == 1 && strings.Contains(list[0], path+" cannot be read (") && strings.Contains(list[0], "the history has no data from 2011-05-09 0")
	}
	if list := ask(); len(list) > 0 {
		t.Fatal(list)
	}
	whole, err := os.ReadFile(path)
	must(t, err)
	must(t, os.Truncate(path, int64(len(whole)/2)))
	if list := ask(); !says(list) || !says(w.store.Troubles()) {
		t.Errorf("cut off in use: %q, %q", list, w.store.Troubles())
	}
	for _, size := range []int64{0, 3, 100, int64(len(whole) / 2), int64(len(whole) - 1)} {
		must(t, os.WriteFile(path, whole[:size], 0o600))
		w.reopen(t)
		if list := w.store.Troubles(); !says(list) {
			t.Errorf("%d bytes: %q", size, list)
		}
		if list := ask(); !says(list) {
			t.Errorf("%d bytes, asked: %q", size, list)
		}
	}
	must(t, os.WriteFile(path, whole, 0o600))
	if list := ask(); len(list) > 0 || len(w.store.Troubles()) > 0 {
		t.Errorf("a whole copy: %q, %q", list, w.store.Troubles())
	}
}

// TestRetention: the oldest files go, by age and by size, each tier by its own.
func TestRetention(t *testing.T) {
	o := DefaultOptions()
	o.Steps.Days, o.Windows.Bytes = 0.25, 20_000
	w := newTwin(t, 8, o)
	for range 2 * 5760 {
		w.push(t)
	}
	must(t, w.store.Flush())
	span, usage := w.store.Span(), w.store.Usage()
	if span.Steps.From < w.now-7*3600 || span.Steps.From > w.now-5*3600 || span.Quarters.From > start+2*900 {
		t.Errorf("steps from %d, quarters from %d, now %d", span.Steps.From, span.Quarters.From, w.now)
	}
	if span.Windows.From < start+tortureDaySeconds || usage[2].Bytes > 20_000 && usage[2].Files > 1 {
		t.Errorf("%+v", usage)
	}
	if usage[1].Files > 2+24 {
		t.Errorf("quarters have %d files after two days: they are not joined", usage[1].Files)
	}
	for _, u := range usage {
		files, err := os.ReadDir(filepath.Join(w.dir, u.Tier))
		must(t, err)
		if len(files) != u.Files {
			t.Errorf("%s: %d files, %d are known", u.Tier, len(files), u.Files)
		}
	}
}

// TestJoinInterrupted: where a process was killed after the files of a day were
// joined, those that they were made of are removed, and nothing is there twice.
func TestJoinInterrupted(t *testing.T) {
	w := newTwin(t, 9, DefaultOptions())
	old := map[string][]byte{}
	for w.now < start+tortureDaySeconds {
		w.push(t)
		for _, path := range files(t, w.dir, "quarters") {
			if old[path] == nil {
				old[path], _ = os.ReadFile(path)
			}
		}
	}
	for range 300 {
		w.push(t)
	}
	must(t, w.store.Flush())
	joined := files(t, w.dir, "quarters")
	if len(joined) > len(old)/4 {
		t.Fatalf("%d files of %d were joined", len(joined), len(old))
	}
	for path, b := range old {
		must(t, os.WriteFile(path, b, 0o600))
	}
	w.reopen(t)
	if now := files(t, w.dir, "quarters"); !slices.Equal(now, joined) {
		t.Errorf("%q, want %q", now, joined)
	}
	w.ask(t, 20, 0, w.now)
}

// files lists those of a tier.
func files(t *testing.T, dir, tier string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, tier, "*.parquet"))
	must(t, err)
	return list
}

// TestReplay: rows and windows that come again, as a journal's do, are not stored
// twice, wherever the process was killed.
func TestReplay(t *testing.T) {
	w := newTwin(t, 10, DefaultOptions())
	var rows []*table.Row
	for range 500 {
		w.push(t)
		st := w.steps[len(w.steps)-1]
		rows = append(rows, &table.Row{End: st.end, Values: [][]float64{st.values["tps"], st.values["await"]}})
	}
	windows := w.windows
	// A process is killed here: what was not flushed is gone, and comes again.
	var err error
	w.store, err = Open(w.dir, w.opts)
	must(t, err)
	must(t, w.store.Begin(w.system, w.schema))
	for _, r := range rows {
		must(t, w.store.Row(r))
		for i := range windows {
			if v := &windows[i]; v.end == r.End {
				must(t, w.store.Window(windowOf(w, v)))
			}
		}
	}
	w.ask(t, 30, 0, w.now)
}

// TestConcurrent asks from several goroutines while rows come in and files are
// written, joined and removed.
func TestConcurrent(t *testing.T) {
	o := DefaultOptions()
	o.Steps.Days = 0.2
	w := newTwin(t, 11, o)
	stop, name := make(chan struct{}), w.system.Components[0].Name
	var wg sync.WaitGroup
	for g := range 3 {
		wg.Go(func() {
			for n := int64(0); ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				to := start + (n*977+int64(g))%tortureDaySeconds
				if err := askAll(w.store, name, to); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 5760 + 500 {
		w.push(t)
	}
	close(stop)
	wg.Wait()
	if trouble := w.store.Troubles(); len(trouble) > 0 {
		t.Error(trouble)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.store.Series(ctx, name, "await", start, w.now, 10); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func askAll(s *Store, name string, to int64) error {
	ctx := context.Background()
	_, err1 := s.Series(ctx, name, "await", to-20_000, to, 100)
	_, err2 := s.Scores(ctx, name, to-20_000, to)
	_, err3 := s.Map(ctx, MapKind{Metric: "await"}, to)
	_, err4 := s.Map(ctx, MapKind{Score: true}, to)
	s.Usage()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return fmt.Errorf("until %d: %w", to, err)
	}
	return nil
}

// TestRefusals: what cannot be done is said in one line.
func TestRefusals(t *testing.T) {
	s, err := Open(t.TempDir(), DefaultOptions())
	must(t, err)
	if s.Row(&table.Row{}) == nil || s.Close() != nil {
		t.Error("a row before Begin was kept")
	}
	w := newTwin(t, 12, DefaultOptions())
	if err := w.store.Row(&table.Row{End: 1 << 40, Values: [][]float64{{1}}}); err == nil || !strings.Contains(err.Error(), "call Begin when") {
		t.Error(err)
	}
	if _, err := w.store.Series(context.Background(), "a", "b", 5, 5, 2); err == nil || !strings.Contains(err.Error(), "give an end that is after the start") {
		t.Errorf("a series without length: %v", err)
	}
	if _, err := w.store.Series(context.Background(), "a", "b", 5, 9, 1); err == nil || !strings.Contains(err.Error(), "give at least 2 points") {
		t.Errorf("a series of one point: %v", err)
	}
	one := Retention{Days: 1, Bytes: 1}
	for _, o := range []Options{{}, {Steps: one, Quarters: one, Windows: one}} {
		if _, err := Open(t.TempDir(), o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

// TestBackup copies a history while it grows and files are joined: the copy answers
// as the history did when it was last flushed.
func TestBackup(t *testing.T) {
	w := newTwin(t, 14, DefaultOptions())
	stop, done := make(chan struct{}), make(chan error)
	go func() {
		for {
			to := filepath.Join(t.TempDir(), "copy")
			if err := w.store.Backup(to); err != nil {
				done <- err
				return
			}
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
		}
	}()
	for range 5760 + 500 {
		w.push(t)
	}
	close(stop)
	must(t, <-done)
	must(t, w.store.Flush())
	to := filepath.Join(t.TempDir(), "copy")
	must(t, w.store.Backup(to))
	if err := w.store.Backup(to); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Error(err)
	}
	must(t, os.RemoveAll(filepath.Join(w.dir, "steps")))
	w.dir = to
	w.store, _ = Open(to, w.opts)
	must(t, w.store.Begin(w.system, w.schema))
	w.ask(t, 30, 0, w.now)
}
