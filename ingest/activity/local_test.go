package activity

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// localSample returns the counters of four drives after some seconds. From the second 30 on the
// third drive is slow. The fourth comes at second 10.
func localSample(second int) *sysstat.Sample {
	s := &sysstat.Sample{CPUs: make([]sysstat.CPU, 2)}
	for i := range 4 {
		if i == 3 && second < 10 {
			continue
		}
		n, ticks := uint64(100*second), uint32(500*second)
		if i == 2 && second > 30 {
			ticks += uint32(4500 * (second - 30))
		}
		s.Disks = append(s.Disks, sysstat.Disk{Major: 8, Minor: uint32(16 * i), IOs: n, ReadSectors: 8 * n, ReadTicks: ticks, BusyTicks: uint32(second * 300), QueueTicks: ticks})
	}
	return s
}

func localLatencies(second int) []byte {
	b := blklat.AppendHead(nil, 7, uint64(second+1), 0)
	for i := range 3 {
		b = blklat.AppendItem(b, &blklat.Item{
			Major: 8, Minor: uint32(16 * i), Op: blklat.Read, Requests: uint64(100 * second), Bytes: 409600,
			Device: blklat.Histogram{{Bucket: uint16(200 + i), Requests: 100}}, Queue: blklat.Histogram{{Bucket: 0, Requests: 100}},
		})
	}
	return b
}

// TestLocal: samples in memory give the rows that the same samples give in a file, each as soon as
// its second is over.
func TestLocal(t *testing.T) {
	for _, latencies := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "a.sa")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		o := sysstat.DefaultWriterOptions()
		o.Hostname, o.Created = "fs1", midnight
		if latencies {
			o.Custom = []sysstat.CustomActivity{{ID: blklat.ID, Size: blklat.Size}}
		}
		w, err := sysstat.NewWriter(f, o)
		if err != nil {
			t.Fatal(err)
		}
		options := Options{StepSeconds: 1, Metrics: []string{"await", "rd_sec", "wr_sec"}, Latencies: true}
		local, err := NewLocal("fs1", options)
		if err != nil {
			t.Fatal(err)
		}
		inventory := []string{}
		for _, d := range []sysstat.Device{{Major: 8, Name: "sda", Model: "X"}, {Major: 8, Minor: 16, Name: "sdb", Model: "X"}, {Major: 8, Minor: 32, Name: "sdc", Model: "X"}, {Major: 8, Minor: 48, Name: "sdd", Model: "X"}} {
			inventory = append(inventory, d.Comments()...)
		}
		for _, c := range inventory {
			if err := w.WriteComment(midnight, c); err != nil {
				t.Fatal(err)
			}
		}
		got, changes := map[int64]*table.Row{}, 0
		for second := range 61 {
			at, s := midnight.Add(time.Duration(second)*time.Second), localSample(second)
			var raw []byte
			if latencies {
				raw = localLatencies(second)
				s.Custom = [][]byte{raw}
			}
			if err := w.WriteStats(at, uint64(360000+100*second), s); err != nil {
				t.Fatal(err)
			}
			local.Take(at, uint64(360000+100*second), s.Disks, raw, inventory)
			for len(local.rows) > 0 || local.waiting != nil {
				row, err := local.Next(t.Context())
				if errors.Is(err, ingest.ErrChanged) {
					changes++
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if row.End != at.Unix() {
					t.Errorf("at second %d a row of %d comes", second, row.End-midnight.Unix())
				}
				got[row.End] = row
			}
		}
		local.End(nil)
		if _, err := local.Next(t.Context()); err != io.EOF {
			t.Errorf("after the end: %v", err)
		}
		if changes != 2 {
			t.Errorf("the system changed %d times: drives were found twice", changes)
		}
		src, err := Open(t.Context(), []string{path}, options)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		if !reflect.DeepEqual(src.Schema(), local.Schema()) {
			t.Errorf("schema of the file %+v, of memory %+v", src.Schema(), local.Schema())
		}
		compared := 0
		for {
			want, err := src.Next(t.Context())
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			row := got[want.End]
			if want.End < midnight.Unix()+12 {
				continue // before and when the fourth drive came, the system was another
			}
			compared++
			if row == nil || !reflect.DeepEqual(row.Values, want.Values) || !sameLatency(row.Latency, want.Latency) || !reflect.DeepEqual(row.Heard, want.Heard) {
				t.Fatalf("latencies %t, second %d: memory has %+v, the file %+v", latencies, want.End-midnight.Unix(), row, want)
			}
		}
		if compared < 45 {
			t.Errorf("only %d rows were compared", compared)
		}
	}
}

func sameLatency(a, b []*table.Latency) bool {
	for i := range b {
		empty := &table.Latency{}
		x, y := empty, empty
		if i < len(a) && a[i] != nil {
			x = a[i]
		}
		if b[i] != nil {
			y = b[i]
		}
		for op := range x {
			if x[op].Bytes != y[op].Bytes || len(x[op].Device) != len(y[op].Device) || x[op].Device.QuantileNs(1) != y[op].Device.QuantileNs(1) || x[op].Device.Requests() != y[op].Device.Requests() {
				return false
			}
		}
	}
	return len(a) == len(b)
}
