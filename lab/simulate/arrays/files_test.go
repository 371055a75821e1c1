package arrays

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// eventful is thirty hours of a small Intrepid over midnight: a server that is
// down, one that reboots, a controller that fails, with everything that
// happens anyway, and clocks and recorders worse than usual.
func eventful(t *testing.T, interval time.Duration) *Scenario {
	t.Helper()
	o := smallOptions()
	o.Days, o.Interval, o.Start = 2, interval, time.Date(2011, time.May, 9, 20, 0, 5, 0, time.UTC)
	s, err := Intrepid(o)
	if err != nil {
		t.Fatal(err)
	}
	s.End = s.Start.Add(30 * time.Hour)
	s.Clocks = Clocks{Steps: 24, Misses: 48}
	events, err := s.ParseEvents("events.yaml", []byte(`
events:
  - {at: 2h, for: 6h, mechanism: server down, components: fs16}
  - {at: 5h, for: 4h, mechanism: service down, components: fs2, reboot: 6m}
  - {at: 10h, for: 7m, mechanism: server down, components: fs2}
  - {at: 28h, mechanism: server down, components: fs1}
  - {at: 9h, for: 3h, mechanism: failed controller, components: ddn7b}
`))
	if err != nil {
		t.Fatal(err)
	}
	s.Events = append(s.Events, events...)
	return s
}

// TestFilesByDay wants a file a server and day, and another one after every
// outage, which begins with the note of a restart.
func TestFilesByDay(t *testing.T) {
	s := eventful(t, 15*time.Second)
	s.Clocks = Clocks{}
	dir, _ := write(t, s)
	var got []string
	for name := range contents(t, filepath.Join(dir, simulate.ActivityDir)) {
		for _, server := range []string{"fs1-", "fs2-", "fs3-", "fs16-"} {
			if strings.HasPrefix(name, server) {
				got = append(got, name)
			}
		}
	}
	slices.Sort(got)
	want := []string{
		"fs1-20110509T200005Z.sa", "fs1-20110510T000005Z.sa", "fs1-20110511T000005Z.sa",
		"fs16-20110509T200005Z.sa", "fs16-20110510T040020Z.sa", "fs16-20110511T000005Z.sa",
		"fs2-20110509T200005Z.sa", "fs2-20110510T000005Z.sa", "fs2-20110510T010620Z.sa", "fs2-20110510T060720Z.sa", "fs2-20110511T000005Z.sa",
		"fs3-20110509T200005Z.sa", "fs3-20110510T000005Z.sa", "fs3-20110511T000005Z.sa",
	}
	if !slices.Equal(got, want) {
		t.Errorf("files %v\nwant %v", got, want)
	}
	for name, want := range map[string]bool{want[4]: true, want[8]: true, want[9]: true, want[5]: false, want[0]: false} {
		if got := restarted(t, filepath.Join(dir, simulate.ActivityDir, name)); got != want {
			t.Errorf("%s notes a restart: %v", name, got)
		}
	}
}

// restarted reports whether a file begins with a restart, and wants its first
// uptime to go with that.
func restarted(t *testing.T, path string) (noted bool) {
	t.Helper()
	r, err := sysstat.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		noted = noted || rec.Type == sysstat.Restart
		if rec.Type == sysstat.Stats {
			if young := rec.Uptime < 100*60; young != noted {
				t.Errorf("%s begins with an uptime of %d/100 s", path, rec.Uptime)
			}
			return noted
		}
	}
}

// TestRowsAreThoseOfCollect holds rows against those that collect makes of the
// files, whatever clocks and recorders do.
func TestRowsAreThoseOfCollect(t *testing.T) {
	intervals := []time.Duration{5 * time.Second, 15 * time.Second}
	if testing.Short() {
		intervals = intervals[:1]
	}
	for _, interval := range intervals {
		s := eventful(t, interval)
		dir, _ := write(t, s)
		rows, err := s.Rows(15, "await", "tps", "wr_sec")
		if err != nil {
			t.Fatal(err)
		}
		files, err := activity.Open(t.Context(), []string{filepath.Join(dir, simulate.ActivityDir)},
			activity.Options{StepSeconds: 15, Metrics: []string{"await", "tps", "wr_sec"}, System: rows.System()})
		if err != nil {
			t.Fatal(err)
		}
		defer files.Close()
		compared, missing := 0, 0
		for {
			got, err := rows.Next()
			want, fileErr := files.Next(t.Context())
			if err != io.EOF && fileErr != io.EOF && (err != nil || fileErr != nil) {
				t.Fatal(err, fileErr)
			}
			if err != nil || fileErr != nil {
				if err != fileErr {
					t.Errorf("rows end with %v, files with %v", err, fileErr)
				}
				break
			}
			n, gaps := wantSameRow(t, rows.Schema(), got, files.Schema(), want)
			compared, missing = compared+n, missing+gaps
		}
		if compared < 7000*384*3 || missing < 100_000 {
			t.Errorf("%d values compared, %d of them missing", compared, missing)
		}
	}
}

func wantSameRow(t *testing.T, gotSchema table.Schema, got *table.Row, wantSchema table.Schema, want *table.Row) (compared, missing int) {
	t.Helper()
	if got.End != want.End || !slices.Equal(got.Heard, want.Heard) {
		t.Fatalf("row of %d, heard %v; the files have %d, heard %v", got.End, got.Heard, want.End, want.Heard)
	}
	for m, wanted := range gotSchema.Metrics {
		column := slices.IndexFunc(wantSchema.Metrics, func(other metric.Metric) bool { return other.Name == wanted.Name })
		for c, v := range got.Values[m] {
			w := want.Values[column][c]
			if v != w && !(table.IsMissing(v) && table.IsMissing(w)) {
				t.Fatalf("%s of component %d at %d is %v, of the files %v", wanted.Name, c, got.End, v, w)
			}
			if table.IsMissing(v) {
				missing++
			}
			compared++
		}
	}
	return compared, missing
}

// TestClocks wants clocks that are set by a second or two: times that come
// twice and times that are left out, while the uptime goes on evenly.
func TestClocks(t *testing.T) {
	s := small(t)
	s.Interval, s.Clocks = time.Second, Clocks{Steps: 96, Misses: 480}
	dir, _ := write(t, s)
	paths, err := filepath.Glob(filepath.Join(dir, simulate.ActivityDir, "*"))
	if err != nil || len(paths) != 16 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	forward, back, missed := 0, 0, 0
	for _, path := range paths {
		p := play(t, path)
		for i := 1; i < len(p.times); i++ {
			real, shown := int64(p.uptimes[i]-p.uptimes[i-1])/100, p.times[i]-p.times[i-1]
			switch {
			case real == 2:
				missed++
			case real != 1:
				t.Errorf("%s: %d s between records", path, real)
			}
			if shown > real {
				forward++
			} else if shown < real {
				back++
			}
			if shown-real > 4 || shown-real < -4 {
				t.Errorf("%s: a clock is set by %d s", path, shown-real)
			}
		}
	}
	if forward < 5 || back < 5 || missed < 100 {
		t.Errorf("clocks went forward %d times and back %d times, %d records were missed", forward, back, missed)
	}
}

// TestProcessorsDoNotMatter wants the same bytes from one processor and from
// many.
func TestProcessorsDoNotMatter(t *testing.T) {
	brief := func() *Scenario {
		s := eventful(t, 15*time.Second)
		s.End = s.Start.Add(3 * time.Hour)
		s.Compressed = []string{"fs1", "fs9"}
		return s
	}
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	first, _ := write(t, cut(brief()))
	runtime.GOMAXPROCS(4)
	second, _ := write(t, cut(brief()))
	a, b := contents(t, first), contents(t, second)
	if len(a) < 18 || len(a) != len(b) {
		t.Fatalf("%d and %d files", len(a), len(b))
	}
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

// cut takes out what happens after the scenario's end.
func cut(s *Scenario) *Scenario {
	s.Events = slices.DeleteFunc(s.Events, func(e Event) bool { return !e.From.Before(s.End) })
	return s
}

// TestStopIntrepid stops halfway and wants nothing left.
func TestStopIntrepid(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	ctx, stop := context.WithCancel(t.Context())
	_, err := cut(eventful(t, 15*time.Second)).Write(ctx, dir, func(done, total int) {
		if done == total/3 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left behind: %v", dir, err)
	}
}
