package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
)

var small = table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: 3, Servers: 2, Latencies: true}

// rowOf returns the i-th row of a made-up system, with values of any bits.
func rowOf(s table.Schema, i int) *table.Row {
	rng := rand.New(rand.NewPCG(uint64(i), 1))
	r := table.NewRow(s)
	r.End = int64(i+1) * s.StepSeconds
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), table.Missing, math.Float64frombits(0x7ff8_0000_0000_0123), 5e-324}
	for _, values := range r.Values {
		for c := range values {
			if values[c] = math.Float64frombits(rng.Uint64()); rng.IntN(2) == 0 {
				values[c] = special[rng.IntN(len(special))]
			}
		}
	}
	for at := range r.Heard {
		r.Heard[at] = rng.IntN(2) == 0
	}
	if rng.IntN(3) == 0 {
		r.Heard = nil
	}
	for c := range r.Latency {
		if rng.IntN(2) == 0 {
			one := blklat.Histogram{{Bucket: uint16(rng.IntN(blklat.Buckets)), Requests: 1 + rng.Uint32N(1<<31)}}
			r.LatencyOf(c)[rng.IntN(table.LatencyOps)] = table.Requests{Bytes: rng.Uint64(), Device: one, Queue: one}
		}
	}
	return r
}

// printed prints a row to its last bit.
func printed(r *table.Row) string {
	var b strings.Builder
	fmt.Fprint(&b, r.End, r.Heard == nil, r.Heard)
	for _, values := range r.Values {
		for _, v := range values {
			fmt.Fprintf(&b, " %016x", math.Float64bits(v))
		}
	}
	for c := range r.Latency {
		fmt.Fprint(&b, " ", *r.LatencyOf(c))
	}
	return b.String()
}

// recordOf returns the i-th record: sometimes a note, else a row.
func recordOf(s table.Schema, i int) string {
	if i%5 == 3 {
		return fmt.Sprintf("note %d", i)
	}
	return printed(rowOf(s, i))
}

func add(tb testing.TB, j *Journal, s table.Schema, i int) {
	tb.Helper()
	if err := addErr(j, s, i); err != nil {
		tb.Fatal(err)
	}
}

func addErr(j *Journal, s table.Schema, i int) error {
	if i%5 == 3 {
		return j.Note(fmt.Appendf(nil, "note %d", i))
	}
	return j.Append(rowOf(s, i))
}

func open1(tb testing.TB, dir string) (*Journal, *Recovered) {
	tb.Helper()
	j, r, err := Open(dir, DefaultOptions())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { j.Close() })
	return j, r
}

// records prints the records that a recovery replays.
func records(tb testing.TB, r *Recovered, s table.Schema) []string {
	tb.Helper()
	var out []string
	err := r.Replay(s,
		func(row *table.Row) error { out = append(out, printed(row)); return nil },
		func(note []byte) error { out = append(out, string(note)); return nil })
	if err != nil {
		tb.Fatal(err)
	}
	if len(out) != r.Records {
		tb.Errorf("%d records were told and %d handed over", r.Records, len(out))
	}
	return out
}

// count is the snapshot of a test: the number of records before it.
func count(r *Recovered) int {
	if !r.Found {
		return 0
	}
	return int(binary.LittleEndian.Uint64(r.Blob))
}

func blob(n int) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }

func snap(tb testing.TB, j *Journal, s table.Schema, n int) {
	tb.Helper()
	if err := j.Snapshot(s, []byte("meta"), blob(n)); err != nil {
		tb.Fatal(err)
	}
}

// check compares a recovery with the records up to n.
func check(tb testing.TB, r *Recovered, s table.Schema, n int) {
	tb.Helper()
	got := records(tb, r, s)
	if from := count(r); from+len(got) != n {
		tb.Fatalf("%d records were recovered behind %d, want up to %d: %q", len(got), from, n, r.Troubles)
	}
	for i, text := range got {
		if want := recordOf(s, count(r)+i); text != want {
			tb.Fatalf("record %d is %s, want %s", count(r)+i, text, want)
		}
	}
}

// TestGoesOn stops a run again and again, with snapshots between.
func TestGoesOn(t *testing.T) {
	dir := t.TempDir()
	n := 0
	for round := range 12 {
		j, r := open1(t, dir)
		if r.Found != (round > 0) || len(r.Troubles) > 0 || r.Missing {
			t.Fatalf("round %d: %+v", round, r)
		}
		check(t, r, small, n)
		if round > 0 && string(r.Meta) != "meta" {
			t.Errorf("meta is %q", r.Meta)
		}
		for range 7 {
			if !r.Found || n%9 == 0 {
				snap(t, j, small, n)
				r.Found = true
			}
			add(t, j, small, n)
			n++
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := list(dir, snapshotSuffix); len(left) != 2 {
		t.Errorf("%d generations are left", len(left))
	}
}

// TestRewind: rows that come again are logged behind the next snapshot, not before.
func TestRewind(t *testing.T) {
	dir := t.TempDir()
	j, _ := open1(t, dir)
	snap(t, j, small, 0)
	for i := range 20 {
		add(t, j, small, i)
	}
	j.Rewind(rowOf(small, 5).End)
	if err := addErr(j, small, 6); !errors.Is(err, errRewound) {
		t.Errorf("a row that the log has is logged in front of a snapshot: %v", err)
	}
	j.Rewind(rowOf(small, 5).End)
	snap(t, j, small, 6)
	for i := 6; i < 12; i++ {
		add(t, j, small, i)
	}
	must(t, j.Close())
	_, r := open1(t, dir)
	check(t, r, small, 12)
	if want := rowOf(small, 11).End; r.Last != want {
		t.Errorf("the last row ends at %d, want %d", r.Last, want)
	}
}

// TestRefusals: an error is one line.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	j, _ := open1(t, dir)
	other := small
	other.Components++
	row := rowOf(small, 7)
	refused := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	refused(j.Append(row), "no snapshot yet")
	refused(j.Note(nil), "no snapshot yet")
	refused(j.Sync(), "no snapshot yet")
	refused(j.Backup(t.TempDir()), "no snapshot yet")
	_, _, err := Open(dir, DefaultOptions())
	refused(err, "another limpet uses the saved state in "+dir)
	snap(t, j, small, 0)
	refused(j.Append(rowOf(other, 9)), "a time step has 4 components, but the log has 3 components")
	refused(j.Append(row), "in order of time")
	refused(j.Note(make([]byte, MaxNoteBytes+1)), "at most 1048576 bytes are allowed")
	refused(j.Snapshot(table.Schema{StepSeconds: 15, Components: 1 << 40}, nil, nil), "cannot be written to the journal")
	for i := range 3 {
		add(t, j, small, 10+i)
	}
	if err := j.Broken(); err != nil {
		t.Errorf("refusals broke the log: %v", err)
	}
	must(t, j.Close())
	refused(j.Append(rowOf(small, 20)), "closed")
	refused(j.Snapshot(small, nil, nil), "closed")
	_, r := open1(t, dir)
	refused(r.Replay(other, nil, nil), "another topology (3 components")
	_, _, err = Open(t.TempDir(), Options{Generations: 1})
	refused(err, "at least 2")
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// generations makes a journal of two generations with five records each, and returns the number of records.
func generations(tb testing.TB) (dir string, n int) {
	dir = tb.TempDir()
	j, _ := open1(tb, dir)
	for ; n < 10; n++ {
		if n%5 == 0 {
			snap(tb, j, small, n)
		}
		add(tb, j, small, n)
	}
	must(tb, j.Close())
	return dir, n
}

// TestSystemChanges: a log of another system behind a damaged snapshot is not replayed into the engine of the
// old system.
func TestSystemChanges(t *testing.T) {
	dir := t.TempDir()
	j, _ := open1(t, dir)
	other := small
	other.Components = 4
	snap(t, j, small, 0)
	add(t, j, small, 0)
	snap(t, j, other, 1)
	add(t, j, other, 1)
	must(t, j.Close())
	must(t, os.Truncate(filepath.Join(dir, name(2, snapshotSuffix)), 60))
	j, r := open1(t, dir)
	check(t, r, small, 1)
	if !r.Missing || !strings.Contains(strings.Join(r.Troubles, "\n"), "the time steps after 1970-01-01 00:00:15 UTC are missing") || r.Last != 15 {
		t.Errorf("%+v", r)
	}
	if j.Append(rowOf(small, 1)) == nil {
		t.Error("a row was appended behind a gap")
	}
	snap(t, j, small, 2)
	add(t, j, small, 2)
	must(t, j.Close())
	_, r = open1(t, dir)
	check(t, r, small, 3)
	if _, err := os.Stat(filepath.Join(dir, name(2, snapshotSuffix+asideSuffix))); err != nil {
		t.Errorf("the damaged snapshot is gone: %v", err)
	}
}

// TestBackup copies a journal while it grows and makes snapshots.
func TestBackup(t *testing.T) {
	j, _ := open1(t, t.TempDir())
	snap(t, j, small, 0)
	var copies []string
	for n := range 40 {
		if n%7 == 3 {
			snap(t, j, small, n)
		}
		to := filepath.Join(t.TempDir(), "copy")
		done := make(chan error)
		go func() { done <- j.Backup(to) }()
		add(t, j, small, n)
		must(t, <-done)
		copies = append(copies, to)
	}
	for i, dir := range copies {
		_, r := open1(t, dir)
		if n := count(r) + len(records(t, r, small)); len(r.Troubles) > 0 || n != i && n != i+1 {
			t.Errorf("copy %d holds %d records: %+v", i, n, r.Troubles)
		}
	}
	if err := j.Backup(copies[0]); err == nil || !strings.Contains(err.Error(), "already has a journal") {
		t.Error(err)
	}
	// A journal that continues with an older snapshot is copied completely, too.
	dir, n := generations(t)
	must(t, os.Truncate(filepath.Join(dir, name(2, snapshotSuffix)), 60))
	j, _ = open1(t, dir)
	to := t.TempDir()
	must(t, j.Backup(to))
	_, r := open1(t, to)
	check(t, r, small, n)
}

// TestSize counts all files.
func TestSize(t *testing.T) {
	dir, _ := generations(t)
	j, _ := open1(t, dir)
	entries, _ := os.ReadDir(dir)
	var sum int64
	for _, e := range entries {
		info, _ := e.Info()
		sum += info.Size()
	}
	if j.Size() != sum || j.LogSize() < 5*50 {
		t.Errorf("%d bytes, files have %d, the log %d", j.Size(), sum, j.LogSize())
	}
}
