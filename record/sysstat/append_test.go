package sysstat

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func appendOptions() WriterOptions {
	o := DefaultWriterOptions()
	o.Hostname, o.Release, o.CPUs = "store-1", "6.1.0", 2
	o.Created = time.Unix(imageTime, 0).In(time.FixedZone("IST", 19800))
	o.Custom = []CustomActivity{{ID: 1000, Size: 24}}
	return o
}

// recording is a file with everything that a recorder writes and where each
// of its records begins. A disk is added ahead of the last record.
func recording(t testing.TB) (file []byte, at []int) {
	t.Helper()
	var buf bytes.Buffer
	o := appendOptions()
	w, err := NewWriter(&buf, o)
	if err != nil {
		t.Fatal(err)
	}
	stats := func(i uint64) error {
		s := testSample(1000 * i)
		s.Custom = [][]byte{bytes.Repeat([]byte("a peer and its counters "), int(i))}
		if i == 4 {
			s.Disks = slices.Insert(s.Disks, 1, Disk{Major: 8, Minor: 32, IOs: 3})
		}
		return w.WriteStats(o.Created.Add(time.Duration(i)*time.Second), 5000+100*i, s)
	}
	for _, step := range []func() error{
		func() error { return w.WriteRestart(o.Created, 2) },
		func() error { return w.WriteComment(o.Created, "dev 8:16=sdb") },
		func() error { return stats(1) },
		func() error { return stats(2) },
		func() error { return w.WriteComment(o.Created, "dev 8:32=sdc") },
		func() error { return stats(3) },
		func() error { return stats(4) },
	} {
		at = append(at, buf.Len())
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return buf.Bytes(), append(at, buf.Len())
}

// place puts bytes into a file that is open for Append.
func place(t testing.TB, b []byte) *os.File {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "sa14"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	replace(t, f, b)
	return f
}

func replace(t testing.TB, f *os.File, b []byte) {
	t.Helper()
	_, err := f.WriteAt(b, 0)
	if err = errors.Join(err, f.Truncate(int64(len(b)))); err != nil {
		t.Fatal(err)
	}
}

func contents(t testing.TB, f *os.File) []byte {
	t.Helper()
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// goOn writes two records behind the last one.
func goOn(t testing.TB, w *Writer, tail Tail) {
	t.Helper()
	at := tail.Last
	if tail.Records == 0 {
		at = appendOptions().Created
	}
	err := w.WriteRestart(at.Add(time.Second), 2)
	if err = errors.Join(err, w.WriteStats(at.Add(2*time.Second), 700, testSample(9))); err != nil {
		t.Fatal(err)
	}
}

// offsetsOf are those of the records that a reader hands out.
func offsetsOf(t testing.TB, b []byte) (at []int, warnings []Warning) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(b), "test")
	if err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return at, r.Warnings()
		}
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, int(rec.Offset))
	}
}

// spoil is what may become of a file from an offset on.
type spoil struct {
	name string
	from func(good []byte, cut int) []byte
	// lucky is how often old bytes fit in so well that a record seems whole.
	lucky int
}

func spoils() []spoil {
	rng := rand.New(rand.NewPCG(7, 8))
	garbage := make([]byte, 20000)
	for i := range garbage {
		garbage[i] = byte(rng.Uint32())
	}
	behind := func(good []byte, cut int, with []byte) []byte {
		return append(slices.Clone(good[:cut]), with[:len(good)-cut+4096]...)
	}
	return []spoil{
		{"killed", func(good []byte, cut int) []byte { return slices.Clone(good[:cut]) }, 0},
		{"zeros", func(good []byte, cut int) []byte { return behind(good, cut, make([]byte, 20000)) }, 0},
		{"garbage", func(good []byte, cut int) []byte { return behind(good, cut, garbage[cut%100:]) }, 0},
		{"old records", func(good []byte, cut int) []byte {
			old := slices.Clone(good)
			for i := range old { // of days that are long gone
				if i+8 < len(old) && bytes.Equal(old[i+2:i+8], []byte{0x53, 0x65, 0, 0, 0, 0}) {
					old[i+3] = 0x50
				}
			}
			return append(slices.Clone(good[:cut]), append(old[300+cut*7%1000:], old...)...)
		}, 80},
	}
}

// Wherever a file breaks off and whatever stands behind, all records that are
// whole are kept and read together with those that follow, as if nothing had
// happened.
func TestAppendAnywhere(t *testing.T) {
	good, at := recording(t)
	step := 1
	if testing.Short() {
		step = 13
	}
	for _, s := range spoils() {
		t.Run(s.name, func(t *testing.T) {
			f := place(t, nil)
			kept := 0
			for cut := at[0]; cut <= len(good); cut += step {
				replace(t, f, s.from(good, cut))
				if appendsAfter(t, f, good, at, cut) && tells(at, cut) {
					kept++
				}
			}
			if kept > s.lucky {
				t.Errorf("%d torn records were kept", kept)
			}
		})
	}
}

// tells says whether what a record holds shows that it is torn at an offset:
// Stats stand ahead of it, and counters behind that offset. The counters of
// other activities are not known, and those of errors may be zero.
func tells(at []int, cut int) bool {
	whole, _ := slices.BinarySearch(at[1:], cut+1)
	known := map[int]int{3: at[4] - 2*24, 6: at[7] - 4*24}[whole] - 4 - writtenSize(TCPErrorsActivity)
	return cut < known
}

// appendsAfter goes on in a file that is good up to cut, and says whether a
// record was kept that is not.
func appendsAfter(t *testing.T, f *os.File, good []byte, at []int, cut int) (torn bool) {
	t.Helper()
	before := contents(t, f)
	w, tail, err := Append(f, appendOptions())
	if err != nil {
		t.Fatalf("cut at %d: %v", cut, err)
	}
	whole, _ := slices.BinarySearch(at[1:], cut+1)
	end := w.Offset()
	if end < int64(at[whole]) || tail.Records < whole || tail.Records > whole+1 || tail.Damaged != 0 {
		t.Fatalf("cut at %d: kept %d bytes, want %d: %+v", cut, end, at[whole], tail)
	}
	if tail.Cut != int64(len(before))-end {
		t.Fatalf("cut at %d: %+v", cut, tail)
	}
	goOn(t, w, tail)
	after := contents(t, f)
	if !bytes.Equal(after[:end], before[:end]) || w.Offset() != int64(len(after)) {
		t.Fatalf("cut at %d: what was kept changed, or %d is not the end", cut, w.Offset())
	}
	offsets, warnings := offsetsOf(t, after)
	if len(warnings) > 0 || len(offsets) != tail.Records+2 || !slices.Equal(offsets[:whole], at[:whole]) {
		t.Fatalf("cut at %d: read %v of %v, %v", cut, offsets, at, warnings)
	}
	return tail.Records > whole && !bytes.Equal(before[:end], good[:min(end, int64(len(good)))])
}

// Whatever else is damaged, no record that is not is cut off or lost to the
// reader.
func TestAppendDamaged(t *testing.T) {
	good, at := recording(t)
	rng := rand.New(rand.NewPCG(11, 12))
	f := place(t, nil)
	for range 3000 {
		b := append(slices.Clone(good), make([]byte, rng.IntN(200))...)
		touched := len(good)
		for range 1 + rng.IntN(2) {
			from := at[0] + rng.IntN(len(b)-at[0])
			to := min(len(b), from+1+rng.IntN(1500))
			for i := from; i < to; i++ {
				b[i] = byte(rng.Uint32()) * byte(rng.IntN(2)) // zeros and garbage
			}
			touched = min(touched, from)
		}
		replace(t, f, b)
		w, tail, err := Append(f, appendOptions())
		if err != nil {
			t.Fatal(err)
		}
		end := w.Offset()
		goOn(t, w, tail)
		after := contents(t, f)
		keeps(t, b, after, end)
		for i, from := range at[:len(at)-1] {
			if to := at[i+1]; bytes.Equal(b[from:to], good[from:to]) && end < int64(to) {
				t.Errorf("damage from %d on: the record at %d–%d was cut off at %d", touched, from, to, end)
			}
		}
	}
}

// A count that is damaged does not reach into the last record.
func TestAppendSwallowed(t *testing.T) {
	var buf bytes.Buffer
	o := appendOptions()
	w, err := NewWriter(&buf, o)
	var ends []int
	for i, items := range []int{9, 1, 1} {
		s := testSample(uint64(i))
		s.Custom = [][]byte{bytes.Repeat([]byte{'x'}, items*o.Custom[0].Size)}
		err = errors.Join(err, w.WriteStats(o.Created.Add(time.Duration(i)*time.Second), uint64(5000+100*i), s))
		ends = append(ends, buf.Len())
	}
	if err != nil {
		t.Fatal(err)
	}
	b := buf.Bytes()
	b[ends[1]-o.Custom[0].Size-4] = 3
	f := place(t, b)
	if _, tail, err := Append(f, o); err != nil || tail.Cut != 0 || tail.Damaged != int64(ends[1]-ends[0]) {
		t.Errorf("%+v %v", tail, err)
	}
}

// A header that is not whole is begun anew.
func TestAppendHeader(t *testing.T) {
	good, at := recording(t)
	f := place(t, nil)
	for cut := range at[0] {
		for _, zeros := range []int{0, 1, 5000} {
			replace(t, f, append(slices.Clone(good[:cut]), make([]byte, zeros)...))
			w, tail, err := Append(f, appendOptions())
			if err != nil || tail.Records != 0 || tail.Zeros > tail.Cut || w.Offset() != int64(at[0]) {
				t.Fatalf("cut at %d, %d zeros: %+v %v", cut, zeros, tail, err)
			}
			goOn(t, w, tail)
			offsets, warnings := offsetsOf(t, contents(t, f))
			if len(warnings) > 0 || len(offsets) != 2 || offsets[0] != at[0] {
				t.Fatalf("cut at %d, %d zeros: read %v, %v", cut, zeros, offsets, warnings)
			}
		}
	}
}

func TestAppendTail(t *testing.T) {
	good, at := recording(t)
	last := len(at) - 2 // record
	absurd := slices.Concat(good[:at[0]], good[at[2]:at[3]], make([]byte, 100))
	copy(absurd[at[0]+writtenRecord+4+3*80+4:], bytes.Repeat([]byte{0xff}, 8)) // I/Os of the first disk
	for _, c := range []struct {
		name string
		file []byte
		want Tail
		ends int
	}{
		{"whole", good, Tail{Records: 7}, len(good)},
		{"torn", good[:at[last]+100], Tail{Records: 6, Cut: 100, Zeros: 7}, at[last]},
		{"zeros behind", slices.Concat(good, make([]byte, 70000)), Tail{Records: 7, Cut: 70000, Zeros: 70000}, len(good)},
		{"text behind", slices.Concat(good, []byte("text")), Tail{Records: 7, Cut: 4}, len(good)},
		{"no records", good[:at[0]], Tail{}, at[0]},
		{"one record and zeros", slices.Concat(good[:at[0]], good[at[2]:at[3]], make([]byte, 100)), Tail{Records: 1, Cut: 100, Zeros: 100}, at[0] + at[3] - at[2]},
		{"half a restart and zeros", slices.Concat(good[:at[0]+writtenRecord], make([]byte, 100)), Tail{Cut: 124, Zeros: 100}, at[0]},
		{"an absurd record and zeros", absurd, Tail{Cut: int64(at[3]-at[2]) + 100, Zeros: 100}, at[0]},
		{"zeros in the midst", slices.Concat(good[:at[2]], make([]byte, 500), good[at[2]:]), Tail{Records: 7, Damaged: 500}, len(good) + 500},
		{
			"zeros in the midst and behind", slices.Concat(good[:at[6]], make([]byte, 500), good[at[6]:], make([]byte, 50)),
			Tail{Records: 7, Damaged: 500, Cut: 50, Zeros: 50},
			len(good) + 500,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := place(t, c.file)
			w, got, err := Append(f, appendOptions())
			if err != nil {
				t.Fatal(err)
			}
			if c.want.Records > 1 {
				seconds := time.Duration(c.want.Records - 3)
				c.want.LastUptime = 5000 + 100*uint64(seconds)
				if !got.Last.Equal(appendOptions().Created.Add(seconds*time.Second)) || got.Last.Format("-0700") != "+0530" {
					t.Errorf("last record at %v", got.Last)
				}
			}
			got.Last = time.Time{}
			if c.want.Records == 1 {
				c.want.LastUptime = 5100
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if b := contents(t, f); w.Offset() != int64(c.ends) || !bytes.Equal(b, c.file[:c.ends]) {
				t.Errorf("%d bytes remain and the offset is %d, want %d", len(b), w.Offset(), c.ends)
			}
		})
	}
}

func TestAppendRefuses(t *testing.T) {
	good, _ := recording(t)
	sadc, err := os.ReadFile("testdata/sa-all")
	if err != nil {
		t.Fatal(err)
	}
	big := &image{format: format2175, big: true, long: 8, disk: "3,3,8", cpus: 3}
	big.header(testSample(0))
	for _, c := range []struct {
		name   string
		file   []byte
		change func(*WriterOptions)
		want   string
	}{
		{"host", good, func(o *WriterOptions) { o.Hostname = "store-2" }, `host "store-1", but this recorder writes host "store-2"`},
		{"kernel", good, func(o *WriterOptions) { o.Release = "6.2.0" }, `kernel "6.1.0"`},
		{"machine", good, func(o *WriterOptions) { o.Machine = "aarch64" }, `machine "x86_64"`},
		{"CPUs", good, func(o *WriterOptions) { o.CPUs = 3 }, "2 CPUs, but this recorder writes 3 CPUs"},
		{"activities", good, func(o *WriterOptions) { o.Activities = o.Activities[1:] }, "7 activities, but this recorder writes 6 activities"},
		{"order", good, func(o *WriterOptions) { slices.Reverse(o.Activities) }, "activity 1 of 80 bytes, but this recorder writes activity 22"},
		{"custom", good, func(o *WriterOptions) { o.Custom = nil }, "7 activities, but this recorder writes 6"},
		{"custom size", good, func(o *WriterOptions) { o.Custom = []CustomActivity{{ID: 1000, Size: 32}} }, "activity 1000 of 24 bytes, but this recorder writes activity 1000 of 32"},
		{"custom number", good, func(o *WriterOptions) { o.Custom = []CustomActivity{{ID: 1001, Size: 24}} }, "this recorder writes activity 1001"},
		{"sadc", sadc, nil, "kernel"},
		{"byte order", big.buf, nil, "byte order big-endian, but this recorder writes byte order little-endian"},
		{"text", []byte(strings.Repeat("no activity file\n", 100)), nil, "the file does not begin like an activity file"},
		{"zeros ahead of records", slices.Concat(make([]byte, 512), good[512:]), nil, "the file does not begin like an activity file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, o := place(t, c.file), appendOptions()
			if c.change != nil {
				c.change(&o)
			}
			w, _, err := Append(f, o)
			if w != nil || !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), f.Name()) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if !bytes.Equal(contents(t, f), c.file) {
				t.Error("the file changed")
			}
		})
	}
}

// Files that differ in when they were begun are gone on in; those that cannot
// be read are not.
func TestAppendOptions(t *testing.T) {
	good, _ := recording(t)
	f, o := place(t, good), appendOptions()
	o.Created = time.Date(2030, 12, 31, 1, 2, 3, 0, time.UTC)
	if _, tail, err := Append(f, o); err != nil || tail.Records != 7 {
		t.Errorf("%+v %v", tail, err)
	}
	o.CPUs = 0
	if _, _, err := Append(f, o); err == nil || errors.Is(err, ErrOther) {
		t.Errorf("without CPUs: %v", err)
	}
	blind, err := os.OpenFile(f.Name(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer blind.Close()
	if _, _, err := Append(blind, appendOptions()); !errors.Is(err, syscall.EBADF) || errors.Is(err, ErrOther) {
		t.Errorf("write-only: %v", err)
	}
	if !bytes.Equal(contents(t, f), good) {
		t.Error("the file changed")
	}
}

// FuzzAppend: whatever the bytes, what the reader reads of them stays, and is
// read with what follows.
func FuzzAppend(f *testing.F) {
	good, at := recording(f)
	for _, s := range spoils() {
		for i := range at {
			f.Add(s.from(good, max(at[i]-20*i, 0)))
		}
	}
	f.Add(slices.Concat(good[:at[2]], make([]byte, 500), good[at[2]:]))
	f.Add(slices.Concat(good[:at[6]], make([]byte, 500), good[at[6]:], make([]byte, 50)))
	file := place(f, nil)
	f.Fuzz(func(t *testing.T, before []byte) {
		replace(t, file, before)
		w, tail, err := Append(file, appendOptions())
		if errors.Is(err, ErrOther) {
			if !bytes.Equal(contents(t, file), before) {
				t.Fatal("a file that was refused changed")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		after := contents(t, file)
		if tail.Records > 0 && !bytes.HasPrefix(before, after) || int64(len(after)) != w.Offset() {
			t.Fatalf("%d bytes are not the beginning of what was there, or end not at %d", len(after), w.Offset())
		}
		if tail.Last.Unix() > maxTime-10 {
			return
		}
		goOn(t, w, tail)
		keeps(t, before, contents(t, file), int64(len(after)))
	})
}

// keeps checks that all that could be read before can be read after, and what
// was written from end on.
func keeps(t *testing.T, before, after []byte, end int64) {
	t.Helper()
	now, _ := offsetsOf(t, after)
	if i, ok := slices.BinarySearch(now, int(end)); !ok || len(now)-i != 2 {
		t.Fatalf("new records at %d, read %v", end, now)
	}
	r, err := NewReader(bytes.NewReader(before), "before")
	if err != nil {
		return // no header, hence no records
	}
	for {
		rec, err := r.Next()
		if err != nil {
			return
		}
		if _, ok := slices.BinarySearch(now, int(rec.Offset)); !ok {
			t.Fatalf("the record at %d was lost: %v", rec.Offset, now)
		}
	}
}
