package activity

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// recordLatencies writes a file in which each of three disks makes ten reads
// and one write a second, with a latency of its own.
func recordLatencies(t *testing.T, path string, from, to int, damaged bool) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "fs1", midnight.Add(time.Duration(from)*time.Second)
	o.Custom = []sysstat.CustomActivity{{ID: blklat.ID, Size: blklat.Size}}
	w, err := sysstat.NewWriter(f, o)
	if err != nil {
		t.Fatal(err)
	}
	for second := from; second <= to; second++ {
		raw := blklat.AppendHead(nil, 7, uint64(second+1), 3)
		var disks []sysstat.Disk
		for d := range 3 {
			disks = append(disks, sysstat.Disk{Major: 8, Minor: uint32(16 * d), IOs: uint64(100 + 11*second)})
			raw = blklat.AppendItem(raw, &blklat.Item{
				Major: 8, Minor: uint32(16 * d), Op: blklat.Read, Bytes: 40960,
				Device: blklat.Histogram{{Bucket: uint16(100 + d), Requests: 9}, {Bucket: 200, Requests: 1}}, Queue: blklat.Histogram{{Requests: 10}},
			})
			raw = blklat.AppendItem(raw, &blklat.Item{Major: 8, Minor: uint32(16 * d), Op: blklat.Write, Device: blklat.Histogram{{Bucket: 50, Requests: 1}}})
			raw = blklat.AppendItem(raw, &blklat.Item{Major: 8, Minor: uint32(16 * d), Op: blklat.Flush, Device: blklat.Histogram{{Bucket: 300, Requests: 1}}})
		}
		if damaged && second == from+40 {
			raw = raw[:len(raw)-1]
		}
		s := &sysstat.Sample{CPUs: make([]sysstat.CPU, 2), Disks: disks, Custom: [][]byte{raw}}
		if err := w.WriteStats(midnight.Add(time.Duration(second)*time.Second), uint64(360000+100*second), s); err != nil {
			t.Fatal(err)
		}
	}
}

// latencyRows returns the requests of a component in each step, by the end of
// the step in seconds after midnight.
func latencyRows(t *testing.T, dir string, wanted bool) (map[int64]table.Latency, *Source) {
	t.Helper()
	src, err := Open(context.Background(), []string{dir}, Options{Metrics: []string{"await"}, Latencies: wanted})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	rows := map[int64]table.Latency{}
	for {
		row, err := src.Next(t.Context())
		if err == io.EOF {
			return rows, src
		}
		if err != nil {
			t.Fatal(err)
		}
		if l := row.Latency; l != nil && l[1] != nil {
			var kept table.Latency
			kept.Add(l[1])
			rows[row.End-midnight.Unix()] = kept
		}
	}
}

// TestLatencies: every request of every record is in its step once, also that
// of the record that ends one file and begins the next.
func TestLatencies(t *testing.T) {
	dir := t.TempDir()
	recordLatencies(t, filepath.Join(dir, "a.sa"), 0, 90, false)
	recordLatencies(t, filepath.Join(dir, "b.sa"), 90, 300, false)
	rows, src := latencyRows(t, dir, true)
	if !src.Schema().Latencies || len(rows) < 18 {
		t.Fatalf("%d rows have latencies", len(rows))
	}
	for end, l := range rows {
		read, write := &l[blklat.Read], &l[blklat.Write]
		if read.Device.Requests() != 150 || read.Queue.Requests() != 150 || read.Bytes != 15*40960 || write.Device.Requests() != 15 {
			t.Errorf("step %d: %+v", end, l)
		}
		if len(read.Device) != 2 || read.Device[0] != (blklat.Count{Bucket: 101, Requests: 135}) {
			t.Errorf("step %d: %+v", end, read.Device)
		}
	}
	if text := warningsOf(src); !strings.Contains(text, "the latencies of 3 requests of fs1 are unknown") {
		t.Errorf("warnings %q", text)
	}
	if rows, src := latencyRows(t, dir, false); len(rows) != 0 || src.Schema().Latencies {
		t.Error("latencies that nobody wants are read")
	}
}

// TestLatenciesOfSome: a machine without latencies is read beside a machine
// with latencies. util is read where any machine has latencies, and otherwise
// not.
func TestLatenciesOfSome(t *testing.T) {
	dir, without := t.TempDir(), t.TempDir()
	recordLatencies(t, filepath.Join(dir, "a.sa"), 0, 300, false)
	f, err := os.Create(filepath.Join(without, "b.sa"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "fs2", midnight
	w, err := sysstat.NewWriter(f, o)
	if err != nil {
		t.Fatal(err)
	}
	for second := range 301 {
		s := &sysstat.Sample{CPUs: make([]sysstat.CPU, 2), Disks: []sysstat.Disk{{Major: 8, IOs: uint64(11 * second)}, {Major: 8, Minor: 16, IOs: uint64(11 * second)}, {Major: 8, Minor: 32, IOs: uint64(11 * second)}}}
		if err := w.WriteStats(midnight.Add(time.Duration(second)*time.Second), uint64(360000+100*second), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		paths []string
		heard bool
	}{{[]string{dir, without}, true}, {[]string{without}, false}} {
		src, err := Open(t.Context(), tt.paths, Options{Metrics: []string{"await"}, Latencies: true})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		if schema := src.Schema(); schema.Latencies != tt.heard || slices.Contains(schema.Metrics, metric.Util) != tt.heard {
			t.Errorf("latencies %v, metrics %v", schema.Latencies, schema.Metrics)
		}
		rows := 0
		for {
			row, err := src.Next(t.Context())
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range src.System().Components {
				heard := row.Latency != nil && row.Latency[i] != nil
				if table.IsMissing(row.Values[0][i]) || heard != (c.Server == "fs1") {
					t.Errorf("%s: %g requests, latencies %v", c.Name, row.Values[0][i], heard)
				}
			}
			rows++
		}
		if rows < 18 {
			t.Errorf("%d rows", rows)
		}
	}
}

// TestLatenciesDamaged: a damaged sample costs its own values and one warning.
func TestLatenciesDamaged(t *testing.T) {
	dir := t.TempDir()
	recordLatencies(t, filepath.Join(dir, "a.sa"), 0, 300, true)
	rows, src := latencyRows(t, dir, true)
	if l := rows[45]; l[blklat.Read].Device.Requests() != 140 {
		t.Errorf("%+v", l)
	}
	if text := warningsOf(src); !strings.Contains(text, "limpet leaves out the latencies in 1 record of fs1: a sample of latencies") {
		t.Errorf("warnings %q", text)
	}
}

func warningsOf(src *Source) string {
	var all []string
	for _, w := range src.Warnings() {
		all = append(all, w.Text)
	}
	return strings.Join(all, "\n")
}
