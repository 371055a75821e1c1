package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

func written(t *testing.T, o Options) (string, *Summary) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fleet")
	s, err := Write(t.Context(), dir, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return dir, s
}

// files lists what is in a directory, with a digest of each.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out = append(out, fmt.Sprintf("%s %x", name, sha256.Sum256(data)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWriteSameBytesOnAnyNumberOfCores(t *testing.T) {
	o := small()
	o.Format = Both
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, _ := written(t, o)
	runtime.GOMAXPROCS(4)
	four, _ := written(t, o)
	a, b := files(t, one), files(t, four)
	if !slices.Equal(a, b) {
		t.Errorf("files differ:\n%v\n%v", a, b)
	}
	if want := 2 + 2*(2+o.Days); len(a) != want {
		t.Errorf("%d files, want %d", len(a), want)
	}
}

// readCSV reads a table without its header.
func readCSV(t *testing.T, path, header string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(lines[0], ","); got != header {
		t.Errorf("%s: header %q, want %q", path, got, header)
	}
	return lines[1:]
}

func readParquet[T any](t *testing.T, path string) []T {
	t.Helper()
	rows, err := parquet.ReadFile[T](path)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// A read record tells null from zero.
type readRecord struct {
	Time      time.Time `parquet:"time,timestamp(millisecond)"`
	Group     string    `parquet:"group"`
	Drive     string    `parquet:"drive"`
	Role      string    `parquet:"role"`
	IOs       int32     `parquet:"ios"`
	LatencyUs *int32    `parquet:"latency_us"`
	SizeBytes *int32    `parquet:"size_bytes"`
}

func (r readRecord) fields() []string {
	known := func(n *int32) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(int(*n))
	}
	return []string{
		r.Time.UTC().Format(time.RFC3339), r.Group, r.Drive, r.Role,
		strconv.Itoa(int(r.IOs)), known(r.LatencyUs), known(r.SizeBytes),
	}
}

// TestRecordsReadBack holds Parquet, CSV and the hours against each other: a
// row for each drive that was there, null where there was no I/O.
func TestRecordsReadBack(t *testing.T) {
	o := small()
	o.DiskGroups, o.SSDGroups, o.Days, o.Format = 40, 40, 12, Both
	dir, summary := written(t, o)
	f := mustNew(t, o)
	var want [][]string
	var total, idle int
	for h := range f.Hours() {
		for i, n := range h.IOs {
			if n == Absent {
				continue
			}
			row := newRecordRow(h, i, &f.drives[i])
			want = append(want, strings.Split(string(row.appendCSV(nil)), ","))
			idle += int(count(n == 0))
		}
		if h.Time.Hour() != hoursPerDay-1 {
			continue
		}
		base := filepath.Join(dir, recordsName(h.Time))
		lines := readCSV(t, base+".csv", "time,group,drive,role,ios,latency_us,size_bytes")
		sameRows(t, base+".csv", lines, want)
		var rows [][]string
		for _, r := range readParquet[readRecord](t, base+".parquet") {
			rows = append(rows, r.fields())
		}
		sameRows(t, base+".parquet", rows, want)
		total += len(want)
		want = want[:0]
	}
	counts := summary.Disk.Counts
	counts.add(&summary.SSD.Counts)
	if int64(total) != counts.Records || int64(idle) != counts.Idle || counts.Missing == 0 {
		t.Errorf("%d rows, %d of them idle; counted were %+v", total, idle, counts)
	}
	if counts.Records+counts.Missing != counts.Drives*int64(o.Days)*hoursPerDay {
		t.Errorf("records and missing ones are not all hours: %+v", counts)
	}
}

func sameRows(t *testing.T, name string, got, want [][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !slices.Equal(got[i], want[i]) {
			t.Fatalf("%s: row %d is %q, want %q", name, i, got[i], want[i])
		}
	}
}

func TestInventoryReadsBack(t *testing.T) {
	o := small()
	o.Format = Both
	dir, _ := written(t, o)
	lines := readCSV(t, filepath.Join(dir, "inventory.csv"), inventoryRow{}.csvHeader())
	rows := readParquet[inventoryRow](t, filepath.Join(dir, "inventory.parquet"))
	drives := mustNew(t, o).Drives()
	if len(lines) != len(drives) || len(rows) != len(drives) {
		t.Fatalf("%d lines and %d rows of %d drives", len(lines), len(rows), len(drives))
	}
	for i, d := range drives {
		if got := strings.Split(string(rows[i].appendCSV(nil)), ","); !slices.Equal(got, lines[i]) {
			t.Errorf("row %q, line %q", got, lines[i])
		}
		if l := lines[i]; l[0] != d.Name || l[6] != d.Model || l[12] != d.Deployed.Format(time.DateOnly) {
			t.Errorf("line %q, want %+v", l, d)
		}
	}
}

func TestEventsReadBack(t *testing.T) {
	o := small()
	o.DiskGroups, o.SSDGroups, o.Days, o.Format = 60, 60, 30, Both
	dir, summary := written(t, o)
	lines := readCSV(t, filepath.Join(dir, "events.csv"), "time,drive,event")
	rows := readParquet[eventRow](t, filepath.Join(dir, "events.parquet"))
	counts := summary.Disk.Counts
	counts.add(&summary.SSD.Counts)
	if n := counts.Warnings + counts.Unplugged + counts.Replugged; int64(len(lines)) != n || int64(len(rows)) != n || n == 0 {
		t.Fatalf("%d lines and %d rows of %d events", len(lines), len(rows), n)
	}
	seen := map[string]bool{}
	for i, r := range rows {
		if got := strings.Split(string(r.appendCSV(nil)), ","); !slices.Equal(got, lines[i]) {
			t.Errorf("row %q, line %q", got, lines[i])
		}
		if i > 0 && r.Time < rows[i-1].Time {
			t.Errorf("row %d is out of order", i)
		}
		seen[r.Event] = true
	}
	for _, what := range []What{NotResponding, NotSpinning, Unplugged, Replugged} {
		if !seen[string(what)] {
			t.Errorf("no drive is ever %s", what)
		}
	}
}

func TestRowGroups(t *testing.T) {
	table, err := create[eventRow](filepath.Join(t.TempDir(), "events"), []Format{Parquet})
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]eventRow, rowGroup+1)
	if err := errors.Join(table.Write(rows), table.Close()); err != nil {
		t.Fatal(err)
	}
	file := table[0].(*parquetTable[eventRow]).rows.File()
	if n := len(file.RowGroups()); n != 2 {
		t.Errorf("%d row groups of %d rows", n, len(rows))
	}
}

func TestProgress(t *testing.T) {
	o := small()
	var last, calls int64
	_, err := Write(t.Context(), filepath.Join(t.TempDir(), "fleet"), o, func(done, total int64) {
		calls++
		if done <= last || done > total {
			t.Errorf("progress from %d to %d of %d", last, done, total)
		}
		last = done
		if calls == int64(o.Days) && done != total {
			t.Errorf("ends with %d of %d", done, total)
		}
	})
	if err != nil || calls != int64(o.Days) {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestCancelLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fleet")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Write(ctx, dir, small(), func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is there: %v", dir, files(t, dir))
	}
}

func TestCancelLeavesEarlierRun(t *testing.T) {
	o := small()
	dir, _ := written(t, o)
	before := files(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	o.Seed++
	if _, err := Write(ctx, dir, o, func(int64, int64) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if after := files(t, dir); !slices.Equal(before, after) {
		t.Errorf("was\n%v\nis\n%v", before, after)
	}
	if _, err := Write(t.Context(), dir, o, nil); err != nil {
		t.Fatal(err)
	}
	if after := files(t, dir); slices.Equal(before, after) || len(before) != len(after) {
		t.Error("an earlier run is not replaced")
	}
}

func TestRefuseOtherFiles(t *testing.T) {
	for _, name := range []string{"records/thesis.tex", "records/2019-01-01.parquet"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		os.WriteFile(path, []byte("mine"), 0o644)
		_, err := Write(t.Context(), dir, small(), nil)
		if err == nil || !strings.Contains(err.Error(), filepath.Base(name)) || !strings.Contains(err.Error(), "another directory") {
			t.Errorf("%s: got %v", name, err)
		}
		if got := files(t, dir); len(got) != 1 {
			t.Errorf("%s: now there is %v", name, got)
		}
	}
}

func TestWriteErrorLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	os.WriteFile(file, nil, 0o644)
	if _, err := Write(t.Context(), filepath.Join(file, "fleet"), small(), nil); err == nil {
		t.Error("a fleet was written below a file")
	}
	bad := small()
	bad.Days = 0
	if _, err := Write(t.Context(), filepath.Join(dir, "fleet"), bad, nil); err == nil {
		t.Error("a fleet without days was written")
	}
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
}
