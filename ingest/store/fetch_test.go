package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/store/storetest"
	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/record/sysstat"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const scrapes = 240 // an hour

// filled returns a store with an hour of node_exporter's series of some
// servers.
func filled(t *testing.T, servers ...string) *storetest.Failing {
	t.Helper()
	f := storetest.NewFailing(t)
	for k := range int64(scrapes) {
		for n, host := range servers {
			at := noon.UnixMilli() + k*15000
			for i, device := range []string{"sda", "sdb"} {
				for _, name := range []string{
					"node_disk_reads_completed_total", "node_disk_writes_completed_total", "node_disk_read_bytes_total", "node_disk_written_bytes_total",
					"node_disk_read_time_seconds_total", "node_disk_write_time_seconds_total", "node_disk_io_time_seconds_total", "node_disk_io_time_weighted_seconds_total",
				} {
					f.Add(at, float64((k+1)*int64(512*(i+n+1))), name, "instance", host+":9100", "job", "node", "device", device)
				}
			}
			f.Add(at, 1e9, "node_boot_time_seconds", "instance", host+":9100", "job", "node")
		}
	}
	return f
}

// options request the hour in spans of 10 minutes.
func options(t *testing.T) FetchOptions {
	o := DefaultFetchOptions()
	o.Dir, o.From, o.To = filepath.Join(t.TempDir(), "fetched"), noon, noon.Add(time.Hour)
	o.SpanSeconds, o.MaxSpanSeconds = 600, 600
	return o
}

func open(t *testing.T, url string) *Store {
	t.Helper()
	o := DefaultOptions()
	o.Post.URL, o.FirstPause, o.Attempts = url, time.Millisecond, 3
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ios returns the I/Os of a server's first disk, record by record.
func ios(t *testing.T, dir, host string) (list []uint64) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(dir, host+"-*.sa"))
	if len(paths) == 0 {
		return nil
	}
	r, err := sysstat.OpenAll(paths)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err != nil {
			break
		}
		if rec.Type == sysstat.Stats {
			list = append(list, rec.Disks(nil)[0].IOs)
		}
	}
	for _, w := range r.Warnings() {
		t.Error(w)
	}
	return list
}

// whole checks that every scrape of a server is in its files once.
func whole(t *testing.T, dir, host string, factor uint64) {
	t.Helper()
	var want []uint64
	for k := range uint64(scrapes) {
		want = append(want, (k+1)*1024*factor) // reads and writes
	}
	if got := ios(t, dir, host); !slices.Equal(got, want) {
		t.Errorf("%s has %d records, not %d, or others", host, len(got), len(want))
	}
}

// TestWhole: every scrape is in the files, though the store fails, breaks off
// and limits the size of answers.
func TestWhole(t *testing.T) {
	f := filled(t, "fs1", "fs2")
	var spans []int64
	refused := map[string]bool{} // requests that were refused once
	f.Cut = 2
	f.Fail = func(_ int, labels string, from, to int64) (int, string) {
		question := fmt.Sprint(labels, from, to)
		if f.Cut == 0 && !refused[question] {
			refused[question] = true
			return 503, "out for a moment"
		}
		if to-from > 200_000 {
			return 422, "query processing would load too many samples into memory"
		}
		spans = append(spans, to-from)
		return 0, ""
	}
	o := options(t)
	var last, total int64
	o.Progress = func(done, all int64) { last, total = done, all }
	r, err := Activity(t.Context(), open(t, f.URL), o)
	if err != nil || r.Partial || len(r.Warnings) > 0 || r.Servers != 2 || r.Kind != remoteRead {
		t.Fatalf("%+v: %v", r, err)
	}
	whole(t, o.Dir, "fs1", 1)
	whole(t, o.Dir, "fs2", 2)
	if last != total || total != 2*(3600+leadSeconds) || r.Records != 2*scrapes || r.Bytes == 0 {
		t.Errorf("%d of %d, %+v", last, total, r)
	}
	if slices.Max(spans) > 200_000 {
		t.Error("the stretches did not become shorter")
	}
}

// TestBounded: an answer with too many samples is requested in parts.
func TestBounded(t *testing.T) {
	f := filled(t, "fs1")
	o := options(t)
	o.MaxSamples = 17 * 10
	if r, err := Activity(t.Context(), open(t, f.URL), o); err != nil || r.Partial {
		t.Fatalf("%+v: %v", r, err)
	}
	whole(t, o.Dir, "fs1", 1)
	if f.Reads < scrapes/10 {
		t.Errorf("%d reads", f.Reads)
	}
}

// TestResumed: after an interruption reading continues where the files end, and
// nothing is requested twice.
func TestResumed(t *testing.T) {
	f := filled(t, "fs1")
	o := options(t)
	ctx, cancel := context.WithCancel(t.Context())
	s := open(t, f.URL)
	f.Set(func() {
		f.Reads = 0
		f.Fail = func(read int, _ string, _, _ int64) (int, string) {
			if read == 4 {
				cancel()
			}
			return 0, ""
		}
	})
	if _, err := Activity(ctx, s, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	before := len(ios(t, o.Dir, "fs1"))
	if before == 0 || before == scrapes {
		t.Fatalf("%d records when it was interrupted", before)
	}
	earliest := int64(math.MaxInt64)
	f.Set(func() {
		f.Fail = func(_ int, _ string, from, _ int64) (int, string) {
			earliest = min(earliest, from)
			return 0, ""
		}
	})
	r, err := Activity(t.Context(), s, o)
	if err != nil || r.Records != uint64(scrapes-before) {
		t.Fatalf("%+v: %v", r, err)
	}
	whole(t, o.Dir, "fs1", 1)
	if kept := noon.UnixMilli() + int64(before-1)*15000; earliest <= kept {
		t.Errorf("it was asked from %d on, and has all until %d", earliest, kept)
	}
	o.From = noon.Add(-time.Hour)
	if _, err := Activity(t.Context(), s, o); err == nil || !strings.Contains(err.Error(), "name another directory") {
		t.Error(err)
	}
}

// TestPartial: a server that cannot be read is named, and the others are read.
func TestPartial(t *testing.T) {
	f := filled(t, "fs1", "fs2")
	f.Fail = func(_ int, labels string, from, _ int64) (int, string) {
		if strings.Contains(labels, "fs2") && from > noon.Add(20*time.Minute).UnixMilli() {
			return 500, "lost"
		}
		return 0, ""
	}
	o := options(t)
	r, err := Activity(t.Context(), open(t, f.URL), o)
	if err != nil || !r.Partial || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "server fs2 could not be read from the store, so its data since 2026-03-01 12:25:00Z are missing") {
		t.Fatalf("%+v: %v", r, err)
	}
	whole(t, o.Dir, "fs1", 1)
	if n := len(ios(t, o.Dir, "fs2")); n != 100 {
		t.Errorf("%d records of fs2", n)
	}
	s := open(t, f.URL)
	f.Set(func() { f.Fail = func(int, string, int64, int64) (int, string) { return 500, "lost" } })
	if _, err := Activity(t.Context(), s, options(t)); err == nil || !strings.Contains(err.Error(), "no data could be read from the store") {
		t.Error(err)
	}
}

// TestNothing: the error of a store without servers names the request.
func TestNothing(t *testing.T) {
	f := storetest.NewFailing(t)
	_, err := Activity(t.Context(), open(t, f.URL), options(t))
	if err == nil || !strings.Contains(err.Error(), "node_disk_io_time_seconds_total") {
		t.Error(err)
	}
}

// TestTables: described series become tables that can be read like others,
// though counters start again and the store is read in parts.
func TestTables(t *testing.T) {
	f := storetest.NewFailing(t)
	for k := range int64(scrapes) {
		for osd := range int64(4) {
			at, name := noon.UnixMilli()+k*15000, fmt.Sprint("osd.", osd)
			n := k
			if osd == 3 && k >= 100 {
				n = k - 100 // it was restarted
			}
			f.Add(at, float64(n*10), "ops_total", "daemon", name)
			f.Add(at, float64(n)*0.02*float64(osd+1), "wait_seconds_total", "daemon", name)
			f.Add(at, 7, "depth", "daemon", name)
		}
	}
	d, err := ParseDescribed("osds.yaml", []byte(`
split: daemon
component: daemon
group: {text: OSDs}
metrics:
  latency: {of: [wait_seconds_total], per: [ops_total], times: 1000, unit: ms, worse: higher}
  ops: {of: [ops_total], unit: 1/s, worse: either, load: true}
  depth: {gauge: [depth], worse: higher, mean: time}
`))
	if err != nil {
		t.Fatal(err)
	}
	o := options(t)
	r, err := Tables(t.Context(), open(t, f.URL), d, o)
	if err != nil || r.Partial || r.Servers != 4 {
		t.Fatalf("%+v: %v", r, err)
	}
	text, err := os.ReadFile(filepath.Join(o.Dir, TablesFile))
	if err != nil {
		t.Fatal(err)
	}
	td, err := tables.ParseDescription(TablesFile, text)
	if err != nil {
		t.Fatal(err)
	}
	src, err := tables.Open(t.Context(), td, []string{o.Dir}, tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	rows, missing := 0, 0
	for {
		row, err := src.Next(t.Context())
		if err != nil {
			break
		}
		rows++
		for c := range 4 {
			v := row.Values[0][c]
			if math.IsNaN(v) {
				missing++
			} else if want := 2 * float64(c+1); math.Abs(v-want) > 1e-9 {
				t.Fatalf("latency of %s at %d is %v, not %v", src.System().Components[c].Name, row.End, v, want)
			}
		}
	}
	if rows != scrapes || missing != 4+1 { // the first of each, and the one after the restart
		t.Errorf("%d rows, %d missing; %v", rows, missing, src.Warnings())
	}
	if _, err := Tables(t.Context(), open(t, f.URL), d, o); err != nil {
		t.Error(err)
	}
}

// TestNoLines: the error of a store whose series cannot be used names the
// reason.
func TestNoLines(t *testing.T) {
	f := storetest.NewFailing(t)
	for osd := range 4 {
		f.Add(noon.UnixMilli(), 1, "ops_total", "daemon", fmt.Sprint("osd.", osd))
	}
	d, err := ParseDescribed("osds.yaml", []byte("component: daemon\ngroup: {text: OSDs}\nmetrics:\n  ops: {of: [ops_total], unit: 1/s, worse: either}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Tables(t.Context(), open(t, f.URL), d, options(t)); err == nil || !strings.Contains(err.Error(), "a counter needs two samples") {
		t.Errorf("one sample of each: %v", err)
	}
	if err := (&tabler{}).noTableError(); !strings.Contains(err.Error(), "may not show the newest samples yet") {
		t.Errorf("no sample: %v", err)
	}
}
