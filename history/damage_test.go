package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/limpet-storage/limpet/table"
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
	e := w.store.steps.entries[1]
	b, err := os.ReadFile(e.path)
	must(t, err)
	for i := range b {
		b[i] ^= 0x55
	}
	must(t, os.WriteFile(e.path, b, 0o600))
	w.reopen(t)
	after, err := w.store.Series(context.Background(), name, "await", start, w.now, 200)
	must(t, err)
	if len(after.Troubles) != 1 || !strings.Contains(after.Troubles[0], e.path+" cannot be read (it is damaged): the history has a gap from 2011-05-09 0") || len(w.store.Troubles()) != 1 {
		t.Errorf("%q", after.Troubles)
	}
	if len(after.Buckets) >= len(before.Buckets) || len(after.Buckets) < len(before.Buckets)/2 {
		t.Errorf("%d buckets of %d are left", len(after.Buckets), len(before.Buckets))
	}
	must(t, os.Remove(e.path)) // somebody else
	after, err = w.store.Series(context.Background(), name, "await", start, w.now, 200)
	must(t, err)
	if len(after.Troubles) != 1 || !strings.Contains(after.Troubles[0], "no such file") {
		t.Errorf("%q", after.Troubles)
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
	if span.Windows.From < start+daySeconds || usage[2].Bytes > 20_000 && usage[2].Files > 1 {
		t.Errorf("%+v", usage)
	}
	if usage[1].Files > 2+24 {
		t.Errorf("quarters have %d files after two days: they are not joined", usage[1].Files)
	}
	for _, u := range usage {
		files, err := os.ReadDir(filepath.Join(w.store.dir, u.Tier))
		must(t, err)
		if len(files) != u.Files {
			t.Errorf("%s: %d files, %d are known", u.Tier, len(files), u.Files)
		}
	}
}

// TestJoinInterrupted: where a process was killed after files were joined, those
// that they were made of are removed, and nothing is there twice.
func TestJoinInterrupted(t *testing.T) {
	w := newTwin(t, 9, DefaultOptions())
	for range 3 * 240 {
		w.push(t)
	}
	must(t, w.store.Flush())
	quarters := w.store.quarters
	parts, old := copies(t, quarters), len(quarters.entries)
	w.store.join(quarters, quarters.entries)
	if len(quarters.entries) >= old {
		t.Fatal("nothing was joined")
	}
	for path, b := range parts {
		must(t, os.WriteFile(path, b, 0o600))
	}
	must(t, os.WriteFile(filepath.Join(quarters.dir, tempPrefix+"x"), nil, 0o600))
	joined := len(quarters.entries)
	w.reopen(t)
	if files, _ := os.ReadDir(quarters.dir); len(w.store.quarters.entries) != joined || len(files) != joined {
		t.Errorf("%d files, %d are known, want %d", len(files), len(w.store.quarters.entries), joined)
	}
	w.ask(t, 20, 0, w.now)
}

func copies(t *testing.T, tier *tier) map[string][]byte {
	out := map[string][]byte{}
	for _, e := range tier.entries {
		b, err := os.ReadFile(e.path)
		must(t, err)
		out[e.path] = b
	}
	return out
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
	w.store, err = Open(w.store.dir, w.store.opts)
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
				to := start + (n*977+int64(g))%daySeconds
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
	_, err3 := s.Map(ctx, What{Metric: "await"}, to)
	_, err4 := s.Map(ctx, What{Score: true}, to)
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
	if err := w.store.Row(&table.Row{End: 1 << 40, Values: [][]float64{{1}}}); err == nil || !strings.Contains(err.Error(), "begin again") {
		t.Error(err)
	}
	if _, err := w.store.Series(context.Background(), "a", "b", 5, 5, 1); err == nil {
		t.Error("a series without length was answered")
	}
	for _, o := range []Options{{}, {Steps: Retention{1, 1}, Quarters: Retention{1, 1}, Windows: Retention{1, 1}}} {
		if _, err := Open(t.TempDir(), o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
