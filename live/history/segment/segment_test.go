package segment

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// sample is a segment of random numbers, by column, component and time.
type sample struct {
	Head
	codes [][][]Code
}

func newSample(rng *rand.Rand, components, times, columns int) *sample {
	s := &sample{Head: Head{Layout: &Layout{}, Seconds: 15}}
	for i := range components {
		s.Layout.Components = append(s.Layout.Components, fmt.Sprintf("fs%d/sd%c", i/9, 'b'+i%9))
	}
	for left, g := components, 0; left > 0; g++ {
		n := 1 + rng.IntN(left)
		s.Layout.Groups, left = append(s.Layout.Groups, Group{fmt.Sprintf("group %d", g), n}), left-n
	}
	for t := range times {
		s.Times = append(s.Times, 1_300_000_000+15*int64(t))
	}
	for m := range columns {
		s.Columns = append(s.Columns, fmt.Sprintf("m%d", m))
		column := make([][]Code, components)
		for c := range column {
			column[c] = make([]Code, times)
			for t := range column[c] {
				if column[c][t] = Round(rng.ExpFloat64() * 100); m%2 == 1 {
					column[c][t] = 0
				}
				if rng.IntN(50) == 0 && m != 1 {
					column[c][t] = Missing
				}
			}
		}
		s.codes = append(s.codes, column)
	}
	return s
}

func (s *sample) write(tb testing.TB) []byte {
	tb.Helper()
	w, err := NewWriter()
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	for range 2 { // the second write reuses the writer
		b.Reset()
		err = w.Write(&b, s.Head, func(column int) (Fill, error) {
			return func(p *Page) (Code, bool) {
				for i, c := range slices.Concat(s.codes[column][p.Place : p.Place+p.N]...) {
					p.Put(i, c)
				}
				return 0, column == 1 && p.Place%2 == 0 // all zero, which Fill sometimes reports
			}, nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return b.Bytes()
}

func (s *sample) file(tb testing.TB) string {
	path := filepath.Join(tb.TempDir(), "a.parquet")
	if err := os.WriteFile(path, s.write(tb), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// sizes are numbers of components, times and columns; the last has many pages.
var sizes = [][3]int{{1, 1, 1}, {2, 1, 2}, {1, 300, 2}, {9, 7, 3}, {300, 240, 3}, {5, 3600, 1}, {700, 97, 2}, {9, 70_000, 1}}

// TestReadBack: codes are read as they were written, by group, by component and by time.
func TestReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	ctx := context.Background()
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes {
		s := newSample(rng, size[0], size[1], size[2])
		got, err := r.Open(s.file(t))
		if err != nil {
			t.Fatalf("%v: %v", size, err)
		}
		if got.Seconds != 15 || !slices.Equal(got.Times, s.Times) || !slices.Equal(got.Columns, s.Columns) ||
			!slices.Equal(got.Layout.Components, s.Layout.Components) || !slices.Equal(got.Layout.Groups, s.Layout.Groups) {
			t.Fatalf("%v: %+v", size, got.Head)
		}
		for m, name := range s.Columns {
			first := rng.IntN(size[0])
			last := first + 1 + rng.IntN(size[0]-first)
			codes, err := got.Range(ctx, name, first, last)
			if err != nil || !slices.Equal(codes, slices.Concat(s.codes[m][first:last]...)) {
				t.Fatalf("%v: %s of %d to %d: %v", size, name, first, last, err)
			}
			at := rng.IntN(size[1])
			codes, err = got.ReadStep(ctx, name, at)
			if err != nil || len(codes) != size[0] {
				t.Fatal(err)
			}
			for c := range codes {
				if codes[c] != s.codes[m][c][at] {
					t.Fatalf("%v: %s of %d at %d: %v", size, name, c, at, codes[c])
				}
			}
		}
		codes, err := got.ReadStep(ctx, "no such", 0)
		if err != nil || codes[0] != Missing {
			t.Error(codes, err)
		}
	}
}

// TestParquet: parquet-go's own reader, which shares only the form of the footer with this one,
// reads the same rows.
func TestParquet(t *testing.T) {
	type row struct {
		Component string  `parquet:"component"`
		Group     string  `parquet:"group"`
		Time      int64   `parquet:"time,timestamp(millisecond)"`
		M0        float32 `parquet:"m0"`
		M1        float32 `parquet:"m1"`
	}
	rng := rand.New(rand.NewPCG(2, 1))
	for _, size := range [][2]int{{1, 1}, {2, 1}, {17, 5}, {300, 240}, {3, 1025}} {
		s := newSample(rng, size[0], size[1], 2)
		b := s.write(t)
		rows, err := parquet.Read[row](bytes.NewReader(b), int64(len(b)))
		if err != nil || len(rows) != size[0]*size[1] {
			t.Fatalf("%v: %d rows, %v", size, len(rows), err)
		}
		groups := s.Layout.GroupNames()
		for i, r := range rows {
			c, at := i/size[1], i%size[1]
			want := row{s.Layout.Components[c], groups[c], s.Times[at] * 1000, float32(s.codes[0][c][at].Float()), float32(s.codes[1][c][at].Float())}
			if fmt.Sprint(r) != fmt.Sprint(want) { // NaN is NaN
				t.Fatalf("%v: row %d is %v, want %v", size, i, r, want)
			}
		}
	}
}

// TestDamaged flips bits all over a file: every value that can be read is right.
func TestDamaged(t *testing.T) {
	s := newSample(rand.New(rand.NewPCG(3, 1)), 40, 20, 2)
	good := s.write(t)
	path := filepath.Join(t.TempDir(), "a.parquet")
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for at := 0; at < len(good); at += 3 {
		bad := slices.Clone(good)
		bad[at] ^= 1 << (at % 8)
		if !s.holds(t, r, path, bad) {
			refused++
		}
		if at%15 == 0 && s.holds(t, r, path, good[:at]) {
			t.Fatalf("%d of %d bytes are a segment", at, len(good))
		}
		clear(r.layouts)
	}
	if refused < len(good)/6 {
		t.Errorf("%d of %d flipped bits were noticed", refused, len(good))
	}
}

// holds writes bytes as a file and reports whether all of it can be read. Every value that can be
// read has to be right.
func (s *sample) holds(t *testing.T, r *Reader, path string, b []byte) bool {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := r.Open(path)
	if err != nil {
		return false
	}
	if !slices.Equal(got.Layout.Components, s.Layout.Components) || !slices.Equal(got.Times, s.Times) {
		t.Fatal("another head was read")
	}
	all := true
	for m, name := range s.Columns {
		codes, err := got.Range(context.Background(), name, 0, 40)
		if all = all && err == nil; err == nil && !slices.Equal(codes, slices.Concat(s.codes[m]...)) {
			t.Fatalf("%s was read otherwise", name)
		}
	}
	return all
}

// FuzzOpen opens any bytes as a segment.
func FuzzOpen(f *testing.F) {
	f.Add(newSample(rand.New(rand.NewPCG(4, 1)), 5, 4, 2).write(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "a.parquet")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := r.Open(path); err == nil {
			for _, name := range s.Columns {
				_, _ = s.Range(context.Background(), name, 0, len(s.Layout.Components))
				_, _ = s.ReadStep(context.Background(), name, 0)
			}
		}
	})
}

// TestRound checks the error of rounding.
func TestRound(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 200_000 {
		v := math.Exp(rng.NormFloat64()*15) * float64(1-2*rng.IntN(2))
		if got := Round(v).Float(); math.Abs(got-v) > RelativeError*math.Abs(v) {
			t.Fatalf("%g became %g", v, got)
		}
	}
	for v, want := range map[float64]float64{
		0: 0, 1: 1, 255: 255, 1e300: 3.3895e38, math.Inf(1): 3.3895e38, math.Inf(-1): -3.3895e38, 3.4e38: 3.3895e38, 1e-300: 0,
	} {
		if got := Round(v).Float(); math.Abs(got-want) > 1e-3*math.Abs(want) {
			t.Errorf("%g became %g, want %g", v, got, want)
		}
	}
	if Round(math.NaN()) != Missing || !math.IsNaN(Missing.Float()) || Round(-math.Float64frombits(0x7ff8_0000_0000_0123)) != Missing {
		t.Error("missing does not stay missing")
	}
	for c := range 1 << 16 {
		if v := Code(c).Float(); !math.IsNaN(v) && !math.IsInf(v, 0) && Round(v) != Code(c) {
			t.Fatalf("code %#x became %#x", c, Round(v))
		}
	}
}
