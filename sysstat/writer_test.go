package sysstat

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// countWrites counts calls of Write.
type countWrites struct {
	bytes.Buffer
	n int
}

func (w *countWrites) Write(b []byte) (int, error) {
	w.n++
	return w.Buffer.Write(b)
}

func TestWriter(t *testing.T) {
	zone := time.FixedZone("NST", -12600)
	opts := WriterOptions{
		Hostname: "store-1", Release: "6.1.0", Machine: "aarch64", CPUs: 3,
		Created:    time.Unix(imageTime, 0).In(zone),
		Activities: []uint32{TCPActivity, DiskActivity, InterfaceErrorsActivity, CPUActivity, InterfaceActivity, TCPErrorsActivity},
		Custom:     []CustomActivity{{ID: 5000, Size: 12}, {ID: 5001, Size: 1}},
	}
	var out countWrites
	w, err := NewWriter(&out, opts)
	if err != nil {
		t.Fatal(err)
	}
	full, empty := testSample(7), &Sample{}
	full.Custom = [][]byte{[]byte("twelve bytes, twice more"), nil}
	steps := []func(time.Time) error{
		func(at time.Time) error { return w.WriteRestart(at, 3) },
		func(at time.Time) error { return w.WriteComment(at, strings.Repeat("x", 63)) },
		func(at time.Time) error { return w.WriteStats(at, 1<<40, full) },
		func(at time.Time) error { return w.WriteStats(at, 1<<40+1, empty) },
	}
	for i, step := range steps {
		if err := step(opts.Created.Add(time.Duration(i) * time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if out.n != 1+len(steps) {
		t.Errorf("%d writes for a header and %d records", out.n, len(steps))
	}

	r, err := NewReader(&out.Buffer, "test")
	if err != nil {
		t.Fatal(err)
	}
	h := r.Header()
	if h.Hostname != "store-1" || h.Release != "6.1.0" || h.Machine != "aarch64" || h.CPUs != 3 || h.Zone != "NST" ||
		h.Created != imageTime || h.Year != 2023 || h.Month != 11 || h.Day != 14 || h.LongSize != 8 || h.HZ != 100 {
		t.Errorf("header %+v", h)
	}
	var records []*Record
	for i := range steps {
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if rec.Time != imageTime+int64(i) || rec.UTCOffset != -12600 {
			t.Errorf("record %d: %+v", i, rec)
		}
		copied := *rec
		copied.items = append([]span(nil), rec.items...)
		records = append(records, &copied)
	}
	if records[0].Type != Restart || records[0].CPUCount != 3 {
		t.Errorf("restart %+v", records[0])
	}
	if got := records[1].Comment(); got != strings.Repeat("x", 63) {
		t.Errorf("comment %q", got)
	}
	if raw, n, size := records[2].Items(5000); string(raw) != "twelve bytes, twice more" || n != 2 || size != 12 {
		t.Errorf("custom: %q, %d items of %d", raw, n, size)
	}
	full.Custom = nil
	for i, want := range []*Sample{full, empty} {
		if got := sampleOf(records[2+i]); fmt.Sprint(*got) != fmt.Sprint(*want) {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
	}
}

func TestWriterErrors(t *testing.T) {
	good := func() WriterOptions {
		o := DefaultWriterOptions()
		o.Hostname = "store-1"
		return o
	}
	for _, c := range []struct {
		change func(*WriterOptions)
		want   string
	}{
		{func(o *WriterOptions) {}, ""},
		{func(o *WriterOptions) { o.Hostname = strings.Repeat("x", 65) }, "host name"},
		{func(o *WriterOptions) { o.CPUs = 0 }, "0 CPUs"},
		{func(o *WriterOptions) { o.Activities = []uint32{7} }, "activity 7 cannot be written"},
		{func(o *WriterOptions) { o.Custom = []CustomActivity{{ID: 44, Size: 8}} }, "custom activity 44"},
		{func(o *WriterOptions) { o.Custom = []CustomActivity{{ID: 444}} }, "of 0 bytes"},
		{func(o *WriterOptions) { o.Custom = make([]CustomActivity, 300) }, "256 at most"},
	} {
		o := good()
		c.change(&o)
		_, err := NewWriter(&bytes.Buffer{}, o)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	o := good()
	o.Custom = []CustomActivity{{ID: 500, Size: 8}}
	var out bytes.Buffer
	w, err := NewWriter(&out, o)
	if err != nil {
		t.Fatal(err)
	}
	size := out.Len()
	if err := w.WriteStats(time.Now(), 1, &Sample{Custom: [][]byte{make([]byte, 9)}}); err == nil {
		t.Error("half an item was written")
	}
	if err := w.WriteComment(time.Now(), strings.Repeat("x", 64)); err == nil {
		t.Error("a comment of 64 bytes was written")
	}
	if out.Len() != size {
		t.Error("something was written")
	}
}

func TestWriterAllocations(t *testing.T) {
	w, err := NewWriter(&discard{}, DefaultWriterOptions())
	if err != nil {
		t.Fatal(err)
	}
	s, at := testSample(1), time.Unix(imageTime, 0).UTC()
	if n := testing.AllocsPerRun(100, func() { w.WriteStats(at, 1, s) }); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}

type discard struct{}

func (*discard) Write(b []byte) (int, error) { return len(b), nil }
