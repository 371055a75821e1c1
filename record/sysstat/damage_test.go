package sysstat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// testFile is a file of n records a second apart, with where each begins.
func testFile(t testing.TB, n int) (file []byte, offsets []int) {
	t.Helper()
	var buf bytes.Buffer
	opts := DefaultWriterOptions()
	opts.Hostname, opts.CPUs = "store-1", 2
	opts.Created = time.Unix(imageTime, 0).In(time.FixedZone("IST", 19800))
	w, err := NewWriter(&buf, opts)
	for i := 0; i < n && err == nil; i++ {
		offsets = append(offsets, buf.Len())
		err = w.WriteStats(opts.Created.Add(time.Duration(i)*time.Second), uint64(5000+100*i), testSample(uint64(100*i)))
	}
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes(), append(offsets, buf.Len())
}

// readTimes reads a file and returns the index of each record in it, as told
// by its time.
func readTimes(t testing.TB, file []byte) (indices []int, r *Reader) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file), "test")
	if err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return indices, r
		}
		if err != nil {
			t.Fatal(err)
		}
		indices = append(indices, int(rec.Time-imageTime))
	}
}

func TestDamage(t *testing.T) {
	const n = 40
	good, at := testFile(t, n)
	end := len(good)
	garbage := make([]byte, 3000)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range garbage {
		garbage[i] = byte(rng.Uint32())
	}
	overwrite := func(from, to int, with byte) []byte {
		b := slices.Clone(good)
		for i := from; i < to; i++ {
			b[i] = with
		}
		return b
	}
	for _, c := range []struct {
		name     string
		file     []byte
		lost     []int // indices of records
		skipped  int64
		warnings int
	}{
		{"nothing", good, nil, 0, 0},
		{"zeros over records", overwrite(at[10], at[14], 0), []int{10, 11, 12, 13}, int64(at[14] - at[10]), 1},
		{"zeros from within a record", overwrite(at[10]+100, at[14], 0), []int{10, 11, 12, 13}, int64(at[14] - at[10]), 1},
		{"zeros into a record", overwrite(at[10], at[13]+5, 0), []int{10, 11, 12, 13}, int64(at[14] - at[10]), 1},
		{"zeros over one header", overwrite(at[20], at[20]+24, 0), []int{20}, int64(at[21] - at[20]), 1},
		{"ones over records", overwrite(at[5]+60, at[9]+60, 0xff), []int{5, 6, 7, 8, 9}, int64(at[10] - at[5]), 1},
		{"zeros over the first record", overwrite(at[0], at[1], 0), []int{0}, int64(at[1] - at[0]), 1},
		{"zeros to the end", overwrite(at[38], end, 0), []int{38, 39}, int64(end - at[38]), 1},
		{"zeros behind the end", append(slices.Clone(good), make([]byte, 5000)...), nil, 5000, 1},
		{"garbage between records", slices.Insert(slices.Clone(good), at[7], garbage[:1001]...), nil, 1001, 1},
		{"garbage in a record", slices.Insert(slices.Clone(good), at[7]+200, garbage...), []int{7}, int64(at[8]-at[7]) + 3000, 1},
		{"bytes missing", slices.Delete(slices.Clone(good), at[7]+24, at[7]+31), []int{7}, int64(at[8] - at[7] - 7), 1},
		{"an impossible count", overwrite(at[30]+24, at[30]+28, 0x3f), []int{30}, int64(at[31] - at[30]), 1},
		{"a negative count", overwrite(at[30]+24, at[30]+28, 0xff), []int{30}, int64(at[31] - at[30]), 1},
		{"a count beyond the end", overwrite(at[30]+25, at[30]+26, 0x10), []int{30}, int64(at[31] - at[30]), 1},
		{"two stretches", append(overwrite(at[3], at[4], 0)[:at[20]], overwrite(at[25], at[26], 0)[at[20]:]...), []int{3, 25}, int64(at[4] - at[3] + at[26] - at[25]), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, r := readTimes(t, c.file)
			var want []int
			for i := range n {
				if !slices.Contains(c.lost, i) {
					want = append(want, i)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("read %v, want all but %v", got, c.lost)
			}
			var skipped int64
			for _, w := range r.Warnings() {
				skipped += w.Skipped
				if strings.Contains(w.String(), "\n") || !strings.HasPrefix(w.String(), "test: offset ") {
					t.Errorf("warning %q", w)
				}
			}
			if len(r.Warnings()) != c.warnings || skipped != c.skipped {
				t.Errorf("%d bytes skipped, want %d: %v", skipped, c.skipped, r.Warnings())
			}
		})
	}
}

// Wherever damage falls, records that it does not touch are read, and from
// where they stand. Only the first is lost with the second: none before it
// tells that it is good.
func TestDamageAnywhere(t *testing.T) {
	const n = 30
	good, at := testFile(t, n)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		b := slices.Clone(good)
		from := at[2] + rng.IntN(len(b)-at[2])
		to := min(len(b), from+1+rng.IntN(1+rng.IntN(5000)))
		for i := from; i < to; i++ {
			b[i] = byte(rng.Uint32()) * byte(rng.IntN(2)) // zeros and garbage
		}
		r, err := NewReader(bytes.NewReader(b), "test")
		if err != nil {
			t.Fatal(err)
		}
		read := map[int64]bool{}
		for {
			rec, err := r.Next()
			if err != nil {
				break
			}
			read[rec.Offset] = true
		}
		for i := range n {
			untouched := at[i+1] <= from || at[i] >= to
			if untouched && !read[int64(at[i])] {
				t.Fatalf("damage at %d–%d: record %d at %d–%d was not read", from, to, i, at[i], at[i+1])
			}
		}
	}
}

// Records of every format that damage does not touch are read.
func TestDamagedFormats(t *testing.T) {
	const n = 12
	for _, m := range images() {
		t.Run(m.String(), func(t *testing.T) {
			m.header(testSample(0))
			var at []int
			for i := range n {
				at = append(at, len(m.buf))
				m.stats(imageTime+int64(i), uint64(5000+100*i), testSample(uint64(100*i)))
			}
			clear(m.buf[at[4]+60 : at[6]+60]) // from within a record into another
			got, r := readTimes(t, m.buf[:len(m.buf)-20])
			if want := []int{0, 1, 2, 3, 7, 8, 9, 10}; !slices.Equal(got, want) || len(r.Warnings()) != 2 {
				t.Errorf("read %v with %v, want %v", got, r.Warnings(), want)
			}
		})
	}
}

func TestTruncated(t *testing.T) {
	good, at := testFile(t, 4)
	for cut := range good {
		r, err := NewReader(bytes.NewReader(good[:cut]), "test")
		if cut < at[0] {
			var e *FormatError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), "ends inside its") && !strings.Contains(err.Error(), "the file is empty") {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		whole, _ := slices.BinarySearch(at[1:], cut+1)
		n := 0
		for {
			if _, err = r.Next(); err != nil {
				break
			}
			n++
		}
		left := int64(cut - at[whole])
		if err != io.EOF || n != whole {
			t.Fatalf("cut at %d: %d records and %v, want %d", cut, n, err, whole)
		}
		if w := r.Warnings(); left > 0 != (len(w) == 1) || left > 0 && (w[0].Skipped != left || w[0].What != string(endsInside)) {
			t.Fatalf("cut at %d: %v, want %d bytes left", cut, w, left)
		}
	}
}

// A record is what it was until the second following Next, also where the
// buffers change meanwhile.
func TestRecordStaysValid(t *testing.T) {
	file, _ := testFile(t, 3*bufferSize/600)
	r, err := NewReader(bytes.NewReader(file), "test")
	if err != nil {
		t.Fatal(err)
	}
	var prev *Record
	var want string
	moves, turn := 0, r.turn
	for {
		rec, err := r.Next()
		if prev != nil && fmt.Sprint(*sampleOf(prev)) != want {
			t.Fatalf("record at %d changed", prev.Offset)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.turn != turn {
			moves, turn = moves+1, r.turn
		}
		prev, want = rec, fmt.Sprint(*sampleOf(rec))
	}
	if moves < 3 {
		t.Errorf("the buffers changed %d times only: the file is too short to test it", moves)
	}
	if n := len(r.buffers[0]) + len(r.buffers[1]); n != 2*bufferSize {
		t.Errorf("the buffers grew to %d bytes", n)
	}
}

func TestReadError(t *testing.T) {
	file, at := testFile(t, 3)
	broken := errors.New("input/output error")
	r, err := NewReader(io.MultiReader(bytes.NewReader(file[:at[1]+10]), errorReader{broken}), "test")
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "test: ") {
		t.Errorf("got %v", err)
	}
	if _, again := r.Next(); again != err {
		t.Errorf("then %v", again)
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

func TestNoAllocations(t *testing.T) {
	file, _ := testFile(t, 3000)
	r, err := NewReader(bytes.NewReader(file), "test")
	if err != nil {
		t.Fatal(err)
	}
	var disks []Disk
	var ifaces []Interface
	var errs []InterfaceErrors
	var cpus []CPU
	read := func() {
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		disks, ifaces, errs, cpus = rec.Disks(disks), rec.Interfaces(ifaces), rec.InterfaceErrors(errs), rec.CPUs(cpus)
		rec.TCP()
		rec.TCPErrors()
	}
	for range 1000 {
		read()
	}
	if n := testing.AllocsPerRun(1000, read); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}

// FuzzReader: whatever the bytes, reading ends, and what it hands out can be
// decoded.
func FuzzReader(f *testing.F) {
	for _, m := range images() {
		m.header(testSample(0))
		m.stats(imageTime, 1, testSample(0))
		m.comment(imageTime+1, "dev 8:0=sda")
		m.restart(imageTime+2, 3)
		m.stats(imageTime+3, 1, testSample(1))
		f.Add(m.buf)
	}
	file, at := testFile(f, 3)
	f.Add(file[:at[2]+1])
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader(bytes.NewReader(b), "fuzz")
		if err != nil {
			return
		}
		last := int64(-1)
		for {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if rec.Offset <= last {
				t.Fatalf("record at %d after one at %d", rec.Offset, last)
			}
			last = rec.Offset
			sampleOf(rec)
			rec.Items(999)
			rec.Comment()
		}
		for _, w := range r.Warnings() {
			_ = w.String()
		}
	})
}

// zeros are without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestHugeDamage: a file of holes is not searched to its end, however large it
// is said to be; what stands ahead of them is read.
func TestHugeDamage(t *testing.T) {
	good, _ := testFile(t, 5)
	src := io.MultiReader(bytes.NewReader(good), io.LimitReader(zeros{}, maxDamage+1<<20), bytes.NewReader(good))
	r, err := NewReader(src, "test")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; err == nil; n++ {
		_, err = r.Next()
	}
	if n-1 != 5 || err != io.EOF {
		t.Errorf("%d records, then %v", n-1, err)
	}
	if w := r.Warnings(); len(w) != 1 || w[0].What != string(tooDamaged) {
		t.Errorf("warnings %v", w)
	}
}
