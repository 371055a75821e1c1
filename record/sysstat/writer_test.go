package sysstat

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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
		{func(o *WriterOptions) { o.Custom = make([]CustomActivity, 300) }, "give at most 256"},
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
	f, err := os.Create(filepath.Join(t.TempDir(), "sa14"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	opts := DefaultWriterOptions()
	opts.Custom = []CustomActivity{{ID: 1000, Size: 64}}
	w, err := NewWriter(f, opts)
	if err != nil {
		t.Fatal(err)
	}
	s, at := daySample(), time.Unix(imageTime, 0).In(time.FixedZone("NST", -12600))
	s.Interfaces = append(s.Interfaces, s.Interfaces...)
	s.InterfaceErrors = append(s.InterfaceErrors, s.InterfaceErrors...)
	s.Custom = [][]byte{make([]byte, 100*64)}
	if len(s.Disks) != 72 || len(s.Interfaces) != 8 || len(s.InterfaceErrors) != 8 {
		t.Fatal("the sample is not that of a storage server")
	}
	write := func() {
		if err := w.WriteStats(at, 1, s); err != nil {
			t.Fatal(err)
		}
		if err := w.WriteComment(at, "dev 8:0=sda"); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(100, write); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}

// A record takes as many bytes as Size says.
func TestWriterSize(t *testing.T) {
	day := daySample()
	for _, c := range []struct {
		name   string
		change func(*WriterOptions)
		sample *Sample
	}{
		{"full", func(*WriterOptions) {}, testSample(1)},
		{"empty", func(*WriterOptions) {}, &Sample{}},
		{"custom", func(o *WriterOptions) { o.Custom = []CustomActivity{{ID: 256, Size: 100}} }, day},
		{"custom without items", func(o *WriterOptions) { o.Custom = []CustomActivity{{ID: 256, Size: 9}, {ID: 257, Size: 9}} }, testSample(1)},
		{"custom that is not written", func(*WriterOptions) {}, day},
		{"disks only", func(o *WriterOptions) { o.Activities = []uint32{DiskActivity} }, day},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := DefaultWriterOptions()
			c.change(&opts)
			var out bytes.Buffer
			w, err := NewWriter(&out, opts)
			if err != nil {
				t.Fatal(err)
			}
			header := w.Offset()
			if err := w.WriteStats(time.Unix(imageTime, 0), 1, c.sample); err != nil {
				t.Fatal(err)
			}
			if n := w.Offset() - header; n != int64(w.Size(c.sample)) || w.Offset() != int64(out.Len()) {
				t.Errorf("%d bytes, want %d; the offset is %d of %d", n, w.Size(c.sample), w.Offset(), out.Len())
			}
		})
	}
}

// full is a disk with so many bytes left.
type full struct {
	*os.File
	left int
	err  error
}

func (f *full) Write(b []byte) (int, error) {
	n := min(f.left, len(b))
	f.left -= n
	n, err := f.File.Write(b[:n])
	if err == nil && n < len(b) {
		err = f.err
	}
	return n, err
}

// When the disk fills up, Offset says where the last whole record ends, and
// writing goes on there once there is room.
func TestWriterFull(t *testing.T) {
	at := time.Unix(imageTime, 0).UTC()
	for _, disk := range []full{{err: syscall.ENOSPC}, {err: nil}} {
		f := place(t, nil)
		for left := 0; left < 700; left += 9 {
			replace(t, f, nil)
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			disk.File, disk.left = f, 1<<20
			w, err := NewWriter(&disk, appendOptions())
			if err == nil {
				err = w.WriteStats(at, 100, testSample(1))
			}
			if err != nil {
				t.Fatal(err)
			}
			whole := w.Offset()
			disk.left = left
			if err := w.WriteStats(at.Add(1e9), 200, testSample(2)); !errors.Is(err, cmp.Or(disk.err, io.ErrShortWrite)) {
				t.Fatalf("with %d bytes left: %v", left, err)
			}
			if w.Offset() != whole {
				t.Fatalf("offset %d after a failed write, want %d", w.Offset(), whole)
			}
			if err := f.Truncate(w.Offset()); err != nil {
				t.Fatal(err)
			}
			if _, err := f.Seek(w.Offset(), io.SeekStart); err != nil {
				t.Fatal(err)
			}
			disk.left = 1 << 20
			if err := w.WriteStats(at.Add(2e9), 300, testSample(3)); err != nil {
				t.Fatal(err)
			}
			offsets, warnings := offsetsOf(t, contents(t, f))
			if len(offsets) != 2 || len(warnings) > 0 || offsets[1] != int(whole) {
				t.Fatalf("with %d bytes left: read %v, %v", left, offsets, warnings)
			}
		}
	}
}
