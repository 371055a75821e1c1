package sysstat

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// host writes the files of a host: two days with a rotation between them, and
// coarser files of another recorder beside.
func hostDays(t *testing.T, dir string) []string {
	t.Helper()
	begin := time.Unix(imageTime, 0)
	write := func(name string, from, to, every int) string {
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		o := DefaultWriterOptions()
		o.Hostname, o.Created = "fs1", begin.Add(time.Duration(from)*time.Second)
		if name[0] == 'b' {
			o.Custom = []CustomActivity{{ID: 999, Size: 8}}
		}
		w, err := NewWriter(f, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteComment(o.Created, "dev 8:0=sda"); err != nil {
			t.Fatal(err)
		}
		for s := from; s <= to; s += every {
			sample := &Sample{CPUs: make([]CPU, 2), Disks: []Disk{{Major: 8, IOs: uint64(1000 + s)}}}
			if name[0] == 'b' {
				sample.Custom = [][]byte{nil}
			}
			if err := w.WriteStats(begin.Add(time.Duration(s)*time.Second), uint64(100*s+100), sample); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	return []string{write("a1", 0, 100, 5), write("a2", 100, 200, 5), write("b1", 2, 100, 20), write("b2", 102, 200, 20)}
}

// sequence lists the samples that are handed out.
func sequence(t *testing.T, j *Joined, last error) []string {
	t.Helper()
	var all []string
	for {
		rec, err := j.Next()
		if err == last {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type == Stats {
			all = append(all, fmt.Sprint(rec.Time-imageTime, rec.Uptime, rec.Restarted, rec.Disks(nil)[0].IOs))
		}
	}
}

// TestJoinGrowing: files that are written by pieces, side by side, give the
// records of whole ones.
func TestJoinGrowing(t *testing.T) {
	from := t.TempDir()
	paths := hostDays(t, from)
	whole, err := OpenAll(paths)
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	want := sequence(t, whole, io.EOF)
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 5))
		dir, j := t.TempDir(), JoinGrowing()
		var got []string
		for now := -1; now <= 200; now++ {
			for _, path := range paths {
				b, begun := written(t, path, now)
				to := filepath.Join(dir, filepath.Base(path))
				if !begun {
					continue
				}
				was, _ := os.Stat(to)
				at := 0
				if was != nil {
					at = int(was.Size())
				}
				for at < len(b) {
					n := min(len(b), at+1+rng.IntN(900))
					dribble(t, to, b[at:n], n-at)
					if err := j.Look(to); err != nil && err != ErrMore {
						t.Fatal(err)
					}
					got, at = append(got, sequence(t, j, ErrMore)...), n
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d records, want %d:\n%v\n%v", seed, len(got), len(want), got, want)
		}
		if n := len(j.Paths()); n > 2 {
			t.Errorf("%d files are open, of two recorders", n)
		}
		j.Close()
	}
}

// written is what a recorder has written of a file by now.
func written(t *testing.T, path string, now int) (b []byte, begun bool) {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if b, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	for first := true; ; first = false {
		rec, err := r.Next()
		if err != nil {
			return b, true
		}
		if rec.Time > imageTime+int64(now) {
			return b[:rec.Offset], !first
		}
	}
}

// TestGrowingRepaired: what was half written when a recorder died is cut off or
// completed by the next.
func TestGrowingRepaired(t *testing.T) {
	file, at := testFile(t, 20)
	for _, c := range []struct {
		name   string
		half   int64 // of the torn record, behind 10 whole ones
		repair func(path string) error
	}{
		{"cut and gone on", 100, func(path string) error {
			if err := os.Truncate(path, int64(at[10])); err != nil {
				return err
			}
			return appendTo(path, file[at[10]:])
		}},
		{"completed", 100, func(path string) error { return appendTo(path, file[at[10]+100:]) }},
		{"replaced by a longer copy", 100, func(path string) error {
			if err := os.WriteFile(path+".tmp", file, 0o644); err != nil {
				return err
			}
			return os.Rename(path+".tmp", path)
		}},
		{"written anew", 0, func(path string) error { return os.WriteFile(path, file, 0o644) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sa14")
			if err := os.WriteFile(path, file[:int64(at[10])+c.half], 0o644); err != nil {
				t.Fatal(err)
			}
			j := JoinGrowing()
			defer j.Close()
			n := 0
			for range 2 {
				if err := j.Look(path); err != nil {
					t.Fatal(err)
				}
				for {
					rec, err := j.Next()
					if errors.Is(err, ErrMore) {
						break
					}
					if err != nil || rec.Time != imageTime+int64(n) {
						t.Fatalf("record %d: %+v %v", n, rec, err)
					}
					n++
				}
				if n == 10 {
					if err := c.repair(path); err != nil {
						t.Fatal(err)
					}
				}
			}
			if n != 20 || len(j.Warnings()) > 0 {
				t.Errorf("%d records, warnings %v", n, j.Warnings())
			}
		})
	}
}

func appendTo(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(b)
	return err
}

// TestGrowingDamaged: damage in a file that grows costs what it does in one that
// is whole, however the bytes arrive.
func TestGrowingDamaged(t *testing.T) {
	lost := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 9))
		file, at := testFile(t, 20)
		for range 1 + rng.IntN(3) {
			from := at[0] + rng.IntN(len(file)-at[0])
			stretch := file[from:min(len(file), from+1+rng.IntN(600))]
			for i := range stretch {
				stretch[i] = byte(rng.IntN(2) * rng.IntN(256))
			}
		}
		path := filepath.Join(t.TempDir(), "sa14")
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
		whole, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		want := offsets(whole, io.EOF)
		lost += 20 - len(want)
		whole.Close()
		if err := os.Truncate(path, int64(at[0])); err != nil {
			t.Fatal(err)
		}
		r, err := OpenGrowing(path)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for n := at[0]; n < len(file); {
			next := min(len(file), n+1+rng.IntN(700))
			if err := appendTo(path, file[n:next]); err != nil {
				t.Fatal(err)
			}
			got, n = append(got, offsets(r, ErrMore)...), next
		}
		r.finish()
		got = append(got, offsets(r, io.EOF)...)
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: records at %v, want %v", seed, got, want)
		}
		r.Close()
	}
	if lost < 60 {
		t.Errorf("%d records were lost: the damage does no harm", lost)
	}
}

// offsets are where records stand that a reader hands out.
func offsets(r *Reader, last error) []int64 {
	var all []int64
	for {
		rec, err := r.Next()
		if err == last || err == io.EOF {
			return all
		}
		if err != nil {
			return append(all, -1)
		}
		all = append(all, rec.Offset)
	}
}

// TestLookAtWhatWas: a file that has grown and was read since somebody asked what it is
// has not become shorter.
func TestLookAtWhatWas(t *testing.T) {
	file, at := testFile(t, 20)
	path := filepath.Join(t.TempDir(), "sa14")
	if err := os.WriteFile(path, file[:at[10]], 0o644); err != nil {
		t.Fatal(err)
	}
	was, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	j := JoinGrowing()
	defer j.Close()
	looks := []func() error{
		func() error { return j.Look(path) },
		func() error { return errors.Join(appendTo(path, file[at[10]:]), j.Look(path)) },
		func() error { return j.LookAt(path, was) },
	}
	for i, want := range []int{10, 10, 0} {
		if err := looks[i](); err != nil {
			t.Fatal(err)
		}
		if got := len(sequence(t, j, ErrMore)); got != want || len(j.Warnings()) > 0 {
			t.Errorf("look %d: %d records, want %d; %v", i, got, want, j.Warnings())
		}
		if len(j.Ended()) > 0 {
			t.Errorf("look %d: the file was closed", i)
		}
	}
}

// TestLookAtWhatShrank: a file that became shorter, or was overwritten, is told of, and its
// further records are read.
func TestLookAtWhatShrank(t *testing.T) {
	file, at := testFile(t, 20)
	for what, harm := range map[string]func(path string) error{
		"another program shortened the file while limpet read the file: ": func(path string) error { return os.Truncate(path, int64(at[5])) },
		"the header of the file was overwritten while limpet read the file": func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteAt([]byte("another"), int64(at[0])-40)
			return errors.Join(err, f.Close())
		},
	} {
		path := filepath.Join(t.TempDir(), "sa14")
		if err := os.WriteFile(path, file[:at[10]], 0o644); err != nil {
			t.Fatal(err)
		}
		j := JoinGrowing()
		defer j.Close()
		if err := j.Look(path); err != nil {
			t.Fatal(err)
		}
		if got := len(sequence(t, j, ErrMore)); got != 10 || len(j.Warnings()) > 0 {
			t.Fatalf("%d records; %v", got, j.Warnings())
		}
		if err := harm(path); err != nil {
			t.Fatal(err)
		}
		_ = j.Look(path) // it may be no activity file any more
		if w := j.Warnings(); len(w) != 1 || w[0].File != path || !strings.Contains(w[0].What, what) {
			t.Errorf("%s: %v", what, w)
		}
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := j.Look(path); err != nil {
			t.Fatal(err)
		}
		got := sequence(t, j, ErrMore)
		if len(got) < 10 {
			t.Errorf("%s: %d records after it was mended", what, len(got))
		}
	}
}

// TestReadAsFarAsSeen: a file that is looked at is read as far as it went then, and what
// came since by the next look.
func TestReadAsFarAsSeen(t *testing.T) {
	file, at := testFile(t, 20)
	path := filepath.Join(t.TempDir(), "sa14")
	if err := os.WriteFile(path, file[:at[10]], 0o644); err != nil {
		t.Fatal(err)
	}
	j := JoinGrowing()
	defer j.Close()
	if err := j.Look(path); err != nil {
		t.Fatal(err)
	}
	got := []int{len(sequence(t, j, ErrMore))}
	for _, grown := range [][2]int{{at[10], at[15] - 1}, {at[15] - 1, len(file)}, {len(file), len(file)}} {
		if err := j.Look(path); err != nil {
			t.Fatal(err)
		}
		if err := appendTo(path, file[grown[0]:grown[1]]); err != nil {
			t.Fatal(err)
		}
		got = append(got, len(sequence(t, j, ErrMore)))
	}
	if want := []int{10, 0, 4, 6}; !slices.Equal(got, want) {
		t.Errorf("%v records, want %v", got, want)
	}
}

// TestGrowingFails: a file that grows and cannot be read any more is an error.
func TestGrowingFails(t *testing.T) {
	file, _ := testFile(t, 20)
	path := filepath.Join(t.TempDir(), "sa14")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := OpenGrowing(path)
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, os.ErrClosed) || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}
