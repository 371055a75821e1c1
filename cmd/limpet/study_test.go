package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/render"
)

// runStudy runs the command and reads what it writes.
func runStudy(t *testing.T, args ...string) *render.Result {
	t.Helper()
	var out, err bytes.Buffer
	if code := run(t.Context(), append([]string{"study", "--format", "json"}, args...), strings.NewReader(""), &out, &err); code != 0 {
		t.Fatalf("limpet study %v: exit %d: %s", args, code, err.String())
	}
	r, e := render.Parse("stdout", out.Bytes())
	if e != nil {
		t.Fatal(e)
	}
	return r
}

// figureOf finds a figure of a kind of drives.
func figureOf(t *testing.T, r *render.Result, kind, name string) *study.Figure {
	t.Helper()
	for _, p := range r.Parts {
		for i := range p.Figures {
			if p.Kind == kind && p.Figures[i].Name == name {
				return &p.Figures[i]
			}
		}
	}
	t.Fatalf("there is no figure %s of %s", name, kind)
	return nil
}

// writeFleet writes a simulated fleet.
func writeFleet(t *testing.T, o fleet.Options) (string, *fleet.Summary) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fleet")
	truth, err := fleet.Write(t.Context(), dir, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return dir, truth
}

// perseusRecords says how the tables of PERSEUS are studied: the groups are
// the hosts, and times are the begin of what they tell.
const perseusRecords = `
files: "{cluster}/{host}/*.csv"
time: {column: ts, format: unix}
group: "{host}"
drive: "{host}/{disk_id}"
kind: ssd
latency: {column: latency, unit: us}
ios: none
size: none
`

// TestStudyPerseus demands the hourly shares that were computed elsewhere, by
// times as the begin of a record. They are its end: as a diagnosis takes them,
// there are three hours a day and not four, of which the last is one record.
func TestStudyPerseus(t *testing.T) {
	tests := map[string]struct{ slow, tail, slowTables, tailTables float64 }{
		"cluster_A": {0.36, 4.3, 0.42, 5.0},
		"cluster_B": {0.09, 1.0, 0.09, 1.1},
	}
	if testing.Short() {
		delete(tests, "cluster_B") // 240 MB of 350
	}
	for cluster, want := range tests {
		t.Run(cluster, func(t *testing.T) {
			dir := unpackPerseus(t, cluster)
			describe := filepath.Join(t.TempDir(), "perseus.yaml")
			if err := os.WriteFile(describe, []byte(perseusRecords), 0o644); err != nil {
				t.Fatal(err)
			}
			r := runStudy(t, "--describe", describe, dir)
			percentOf(t, r, "slow-hours-2", want.slow, 0.006)
			percentOf(t, r, "tail-hours-2", want.tail, 0.06)
			r = runStudy(t, "--tables", "../../examples/perseus.yaml", "--kind", "ssd", dir)
			percentOf(t, r, "slow-hours-2", want.slowTables, 0.006)
			percentOf(t, r, "tail-hours-2", want.tailTables, 0.06)
		})
	}
}

// percentOf holds a share against percents.
func percentOf(t *testing.T, r *render.Result, name string, want, within float64) {
	t.Helper()
	f := figureOf(t, r, "ssd", name)
	t.Log(f.Sentence)
	if got := 100 * f.Number; math.Abs(got-want) > within {
		t.Errorf("%s is %.4f %%, want %v", name, got, want)
	}
}

// TestStudyTruth studies simulated fleets end to end: what was counted is what
// was drawn, and what it was drawn from is within the interval.
func TestStudyTruth(t *testing.T) {
	names := map[string]string{
		"slow-hours-1.5": "drive hours with a slowdown of 1.5 or more",
		"slow-hours-2":   "drive hours with a slowdown of 2 or more",
		"tail-hours-1.5": "hours of a RAID group in which at least one drive has a slowdown of 1.5 or more",
		"tail-hours-2":   "hours of a RAID group in which at least one drive has a slowdown of 2 or more",
		"second-tail-2":  "hours of a RAID group in which at least two drives have a slowdown of 2 or more",
		"third-tail-2":   "hours of a RAID group in which at least three drives have a slowdown of 2 or more",
		"persist-2":      "slow periods longer than an hour",
		"persist-8h-2":   "slow periods of 8 hours or more",
		"again-2":        "slow hours at most a day after the previous slow hour of the same drive",
		"ever-2":         "drives that were ever slow",
		"ever-16":        "drives that ever had a slowdown of 16 or more",
		"seldom-2":       "slow drives with fewer than 5 slow hours",
		"often-2":        "slow drives with 100 slow hours or more",
	}
	var counted, drawn within
	for seed := uint64(1); seed <= 3; seed++ {
		if testing.Short() && seed == 2 {
			continue
		}
		o := fleet.DefaultOptions()
		o.DiskGroups, o.SSDGroups, o.Seed = 100, 100, seed
		if testing.Short() {
			o.DiskGroups, o.SSDGroups = 60, 60
		}
		dir, truth := writeFleet(t, o)
		r := runStudy(t, dir)
		for kind, part := range map[string]*fleet.Part{"disk": truth.Disk, "ssd": truth.SSD} {
			for name, figure := range names {
				f, drawn := figureOf(t, r, kind, name), figureNamed(t, part, figure)
				if math.Abs(f.Number-drawn.Here) > 1e-3*drawn.Here {
					t.Errorf("seed %d: %s of %s is %v, drawn were %v", seed, name, kind, f.Number, drawn.Here)
				}
				counted.add(t, f, drawn.T16)
			}
		}
		for _, f := range drawnFigures(r) {
			drawn.add(t, f, *f.T16)
		}
	}
	counted.check(t, 60)
	drawn.check(t, 60)
}

// within counts figures whose interval has what fleets are drawn by.
type within struct{ in, all int }

func (w *within) add(t *testing.T, f *study.Figure, truth float64) {
	if f.Interval == nil {
		return
	}
	w.all++
	if f.Interval.Low <= truth && truth <= f.Interval.High {
		w.in++
	} else {
		t.Logf("%v, that fleets are drawn by, is outside of %s", truth, f.Sentence)
	}
}

func (w *within) check(t *testing.T, least int) {
	t.Helper()
	t.Logf("%d of %d within their intervals", w.in, w.all)
	if testing.Short() {
		least /= 2
	}
	if w.all < least || 100*w.in < 85*w.all {
		t.Errorf("only %d of %d figures are within their intervals of what fleets are drawn by", w.in, w.all)
	}
}

// drawnFigures are those of load, events, degradation, plugs, flash and time:
// fleets are drawn by T16's, and count none of them.
func drawnFigures(r *render.Result) []*study.Figure {
	begins := []string{"busy-in-", "slow-in-", "large-in-", "complaints-dead-", "fall-", "unplugged-", "replugged", "recur", "flash-", "hour-of-day-", "exact-ratios"}
	var out []*study.Figure
	for _, p := range r.Parts {
		for i := range p.Figures {
			f := &p.Figures[i]
			if f.T16 != nil && slices.ContainsFunc(begins, func(b string) bool { return strings.HasPrefix(f.Name, b) }) {
				out = append(out, f)
			}
		}
	}
	return out
}

func figureNamed(t *testing.T, p *fleet.Part, name string) fleet.Figure {
	t.Helper()
	for _, f := range p.Figures {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("the truth has no figure %q", name)
	return fleet.Figure{}
}

// TestStudyWorkers demands the same bytes however many streams there are, and
// in whatever order records come.
func TestStudyWorkers(t *testing.T) {
	o := fleet.DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.Days, o.Format = 12, 12, 9, fleet.CSV
	dir, _ := writeFleet(t, o)
	studyOf := func(args ...string) string {
		var out bytes.Buffer
		if code := run(t.Context(), append([]string{"study", "-o", "csv"}, args...), strings.NewReader(""), &out, io.Discard); code != 0 {
			t.Fatalf("limpet study %v: exit %d", args, code)
		}
		return out.String()
	}
	want := studyOf("--workers", "1", dir)
	if got := studyOf("--workers", "5", dir); got != want {
		t.Error("five workers find something else than one")
	}
	shuffle(t, dir)
	if got := studyOf("--workers", "3", dir); got != want {
		t.Error("records in another order make other findings")
	}
}

// shuffle turns the lines of records around.
func shuffle(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "records", "*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatal("no records", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all := lines(string(data))
		for i, k := 1, len(all)-1; i < k; i, k = i+1, k-1 {
			all[i], all[k] = all[k], all[i]
		}
		if err := os.WriteFile(name, []byte(strings.Join(all, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStudyInterrupted stops the command sooner and later, while it surveys,
// sorts and reads: it says so, writes nothing, and leaves no file behind.
func TestStudyInterrupted(t *testing.T) {
	o := fleet.DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.Days, o.Format = 100, 20, 10, fleet.CSV
	dir, _ := writeFleet(t, o)
	shuffle(t, dir)
	interrupted := 0
	for after := time.Millisecond; after < time.Second; after *= 2 {
		interrupted += interruptStudy(t, dir, after)
	}
	if interrupted < 3 {
		t.Errorf("the command was interrupted only %d times: take more data", interrupted)
	}
}

// interruptStudy interrupts a study after some time; it returns 1 if the study
// was not done by then.
func interruptStudy(t *testing.T, dir string, after time.Duration) int {
	temp, place := t.TempDir(), t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	var out, stderr bytes.Buffer
	code := run(ctx, []string{"study", "--temp", temp, "--html", filepath.Join(place, "study.html"), dir}, strings.NewReader(""), &out, &stderr)
	if hasFiles(temp) {
		t.Errorf("after %v temporary files are left", after)
	}
	if code == 0 {
		return 0
	}
	if code != exitError || !strings.Contains(stderr.String(), "interrupted: nothing was written") || out.Len() > 0 || hasFiles(place) {
		t.Errorf("after %v: exit %d, %q on stderr, %d bytes on stdout, files: %v", after, code, stderr.String(), out.Len(), hasFiles(place))
	}
	return 1
}

func hasFiles(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) > 0
}

func TestRowsLine(t *testing.T) {
	got := rowsLine(2, 12_300_000, 45, 100, 2*time.Second)
	if want := " 45 % reading … 12.3 M rows, 6.2 M rows/s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
