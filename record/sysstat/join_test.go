package sysstat

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// entry is a record to write: s seconds after imageTime.
type entry struct {
	typ    RecordType
	s      int
	uptime uint64
}

// dayFile writes a file of some records.
func dayFile(t *testing.T, dir, name, host string, entries ...entry) string {
	t.Helper()
	var b bytes.Buffer
	opts := DefaultWriterOptions()
	opts.Hostname = host
	opts.Created = time.Unix(imageTime, 0).UTC()
	w, err := NewWriter(&b, opts)
	for _, e := range entries {
		at := opts.Created.Add(time.Duration(e.s) * time.Second)
		switch e.typ {
		case Stats:
			err = w.WriteStats(at, e.uptime, testSample(uint64(e.s)))
		case Restart:
			err = w.WriteRestart(at, 2)
		case Comment:
			err = w.WriteComment(at, "dev 8:0="+name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, name)
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func stats(from, to int, boot int) (list []entry) {
	for s := from; s <= to; s++ {
		list = append(list, entry{Stats, s, uint64(100 * (s - boot))})
	}
	return list
}

// every is stats some seconds apart.
func every(step, from, to int, boot int) (list []entry) {
	for s := from; s <= to; s += step {
		list = append(list, entry{Stats, s, uint64(100 * (s - boot))})
	}
	return list
}

// ahead is stats whose clock is a day ahead.
func ahead(from, to int, boot int) []entry {
	list := every(1, from, to, boot)
	for i := range list {
		list[i].s += 86400
	}
	return list
}

func TestJoin(t *testing.T) {
	for _, c := range []struct {
		name     string
		files    [][]entry
		want     string   // seconds of records; R restart, C comment, ! counters began anew
		warnings []string // parts
	}{
		{"days in order", [][]entry{stats(1, 3, -9), stats(4, 5, -9)}, "1 2 3 4 5", nil},
		{"days in disorder", [][]entry{stats(4, 5, -9), stats(1, 3, -9)}, "1 2 3 4 5", nil},
		{"midnight in both", [][]entry{stats(1, 4, -9), stats(4, 6, -9)}, "1 2 3 4 5 6", nil},
		{
			"midnight in both, comment first",
			[][]entry{stats(1, 4, -9), append([]entry{{typ: Comment, s: 4}}, stats(4, 6, -9)...)},
			"1 2 3 4 C4 5 6", nil,
		},
		{"overlap", [][]entry{stats(1, 6, -9), stats(4, 8, -9)}, "1 2 3 4 5 6 7 8", []string{"b: 2 records have the same times as records of a"}},
		{"one within the other", [][]entry{stats(1, 9, -9), stats(3, 4, -9)}, "1 2 3 4 5 6 7 8 9", []string{"b: 2 records have the same times as records of a"}},
		{"same second, another boot", [][]entry{stats(1, 4, -9), stats(4, 5, 3)}, "1 2 3 4 5!", []string{"b: 1 record has the same time as a record of a"}},
		{"twice the same", [][]entry{stats(1, 2, -9), stats(1, 2, -9)}, "1 2", []string{"b: 1 record has the same time as a record of a"}},
		{"three", [][]entry{stats(1, 2, -9), stats(2, 3, -9), stats(3, 4, -9)}, "1 2 3 4", nil},
		{"restart between, noted", [][]entry{stats(1, 2, -9), append([]entry{{typ: Restart, s: 4}}, stats(5, 6, 4)...)}, "1 2 R4 5! 6", nil},
		{"restart between, not noted", [][]entry{stats(1, 2, -9), stats(5, 6, 4)}, "1 2 5! 6", nil},
		{
			"a finer file within a coarser",
			[][]entry{every(10, 0, 40, -9), every(2, 11, 25, -9)},
			"0 10 11 13 15 17 19 21 23 25 30 40",
			[]string{"a: 1 record has the same time as a record of b; limpet uses the record of b, because the records of that file are 2 s apart, and the records of this file are 10 s apart"},
		},
		{
			"a coarser file fills the gap of a finer",
			[][]entry{append(every(1, 0, 5, -9), every(1, 24, 27, -9)...), every(10, 0, 40, -9)},
			"0 1 2 3 4 5 10 20 24 25 26 27 30 40",
			[]string{"b: 1 record has the same time as a record of a"},
		},
		{
			"two recorders, one restart",
			[][]entry{
				append(append(every(1, 0, 3, -9), entry{typ: Restart, s: 5}), every(1, 6, 8, 5)...),
				append(every(5, 0, 0, -9), every(5, 10, 20, 5)...),
			},
			"0 1 2 3 R5 6! 7 8 10 15 20",
			[]string{"b: 1 record has the same time as a record of a"},
		},
		{"a clock far ahead for a while", [][]entry{
			append(append(every(1, 0, 4, -9), ahead(5, 6, -9)...), every(1, 7, 9, -9)...),
			every(1, 10, 12, -9),
		}, "0 1 2 3 4 86405 86406 7 8 9 10 11 12", nil},
		{"empty", [][]entry{stats(1, 2, -9), nil, stats(3, 4, -9)}, "1 2 3 4", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			var paths []string
			for i, entries := range c.files {
				paths = append(paths, dayFile(t, dir, string(rune('a'+i)), "store-1", entries...))
			}
			j, err := OpenAll(paths)
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			if got := join(t, j); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if len(j.Warnings()) != len(c.warnings) {
				t.Fatalf("warnings %v", j.Warnings())
			}
			for i, w := range j.Warnings() {
				if got := strings.ReplaceAll(w.String(), dir+"/", ""); !strings.HasPrefix(got, c.warnings[i]) {
					t.Errorf("warning %q", got)
				}
			}
		})
	}
}

// join reads all records and checks that each stays valid over one Next.
func join(t *testing.T, j *Joined) string {
	t.Helper()
	var words []string
	var prev *Record
	var before string
	for {
		rec, err := j.Next()
		if prev != nil && fmt.Sprint(prev.Time, prev.Disks(nil)) != before {
			t.Fatalf("record of %d changed", prev.Time)
		}
		if err == io.EOF {
			return strings.Join(words, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		word := map[RecordType]string{Restart: "R", Comment: "C"}[rec.Type] + fmt.Sprint(rec.Time-imageTime)
		if rec.Restarted {
			word += "!"
		}
		words = append(words, word)
		prev, before = rec, fmt.Sprint(rec.Time, rec.Disks(nil))
	}
}

func TestJoinErrors(t *testing.T) {
	dir := t.TempDir()
	a := dayFile(t, dir, "a", "store-1", stats(1, 2, 0)...)
	b := dayFile(t, dir, "b", "store-2", stats(3, 4, 0)...)
	bad := filepath.Join(dir, "bad")
	if err := os.WriteFile(bad, []byte("no activity file"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		paths []string
		want  []string // parts of the error
	}{
		{[]string{a, b}, []string{a + " belongs to host store-1", b + " belongs to host store-2"}},
		{nil, []string{"no activity files"}},
		{[]string{bad}, []string{bad, "the file does not begin like an activity file"}},
		{[]string{a, filepath.Join(dir, "absent")}, []string{"absent", "no such file"}},
	} {
		_, err := OpenAll(c.paths)
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v: %v, want %q", c.paths, err, part)
			}
		}
	}
	j, err := OpenAll([]string{bad, a})
	if err != nil {
		t.Fatal(err)
	}
	if got := join(t, j); got != "1 2" || len(j.Warnings()) != 1 || !strings.Contains(j.Warnings()[0].String(), "left out") {
		t.Errorf("with a bad file: %s, %v", got, j.Warnings())
	}
}

func TestJoinInventory(t *testing.T) {
	dir := t.TempDir()
	a := dayFile(t, dir, "a", "store-1", entry{Comment, 1, 0}, entry{Stats, 1, 9})
	b := dayFile(t, dir, "b", "store-1", entry{Comment, 2, 0}, entry{Stats, 2, 109})
	j, err := OpenAll([]string{a, b})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for {
		rec, err := j.Next()
		if err != nil {
			break
		}
		d, _ := j.Inventory().Device(8, 0)
		names = append(names, d.Name, filepath.Base(rec.Header().File), filepath.Base(j.Header().File))
	}
	if want := []string{"a", "a", "a", "a", "a", "a", "b", "b", "b", "b", "b", "b"}; !slices.Equal(names, want) {
		t.Errorf("got %v", names)
	}
}

// What one file says of devices holds for all, also ahead of it.
func TestJoinNames(t *testing.T) {
	dir := t.TempDir()
	sadc := dayFile(t, dir, "sa14", "store-1", every(10, 0, 30, -9)...)
	named := dayFile(t, dir, "nvme0n1", "store-1", append([]entry{{Comment, 12, 0}}, every(2, 12, 20, -9)...)...)
	j, err := OpenAll([]string{named, sadc})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for {
		rec, err := j.Next()
		if err == io.EOF {
			break
		}
		if name := j.Inventory().Name(8, 0); err != nil || name != "nvme0n1" {
			t.Fatalf("at %d: %s, %v", rec.Time-imageTime, name, err)
		}
	}
}

// Files that count uptime in different ways are not held against each other.
func TestJoinOldAndNew(t *testing.T) {
	dir := t.TempDir()
	m := &image{format: format2171, disk: "8b", long: 8, cpus: 3}
	m.header(testSample(0))
	for s := range 5 {
		m.stats(imageTime+int64(s), uint64(777+100*s), testSample(uint64(s)))
	}
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, m.buf, 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := OpenAll([]string{dayFile(t, dir, "new", "store-7", every(1, 5, 7, -900)...), old})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if got, want := join(t, j), "0 1 2 3 4 5! 6 7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
