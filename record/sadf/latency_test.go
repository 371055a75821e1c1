package sadf

import (
	"bytes"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestLatency: each sample is printed once, also where it ends one file and
// begins another; what did not queue has no cells of it.
func TestLatency(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var file bytes.Buffer
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "fs1", at
	o.Custom = []sysstat.CustomActivity{{ID: blklat.ID, Size: blklat.Size}}
	w, err := sysstat.NewWriter(&file, o)
	if err != nil {
		t.Fatal(err)
	}
	raw := blklat.AppendHead(nil, 1, 1, 0)
	raw = blklat.AppendItem(raw, &blklat.Item{
		Major: 8, Minor: 16, Op: blklat.Read, Bytes: 4096, Errors: 1, Requeues: 2, MostInFlight: 3,
		Device: blklat.Histogram{{Bucket: uint16(blklat.Bucket(1 << 20)), Requests: 995}, {Bucket: uint16(blklat.Bucket(48 << 20)), Requests: 5}},
	})
	for second := range 2 {
		err := w.WriteStats(at.Add(time.Duration(second)*time.Second), uint64(1000+100*second), &sysstat.Sample{CPUs: make([]sysstat.CPU, 2), Custom: [][]byte{raw}})
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := sysstat.NewReader(bytes.NewReader(file.Bytes()), "fs1")
	if err != nil {
		t.Fatal(err)
	}
	want := latencyHead + "\nfs1;2026-03-01 12:00:00 UTC;sdb;read;1000;4096;1;2;3;1.333;1.114;1.114;52.429;;;;\n"
	var out bytes.Buffer
	if err := Latency(&out, r); err != nil || out.String() != want {
		t.Errorf("%v, got\n%swant\n%s", err, out.String(), want)
	}
}
