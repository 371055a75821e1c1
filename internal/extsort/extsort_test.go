package extsort

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pairs are records of a key and a number.
type pairs struct{ list []pair }

type pair struct{ key, number int64 }

func (p *pairs) Len() int                       { return len(p.list) }
func (p *pairs) Key(i int) int64                { return p.list[i].key }
func (p *pairs) Reset()                         { p.list = p.list[:0] }
func (p *pairs) Grow(n int)                     { p.list = slices.Grow(p.list, n) }
func (p *pairs) Add(other *pairs, from, to int) { p.list = append(p.list, other.list[from:to]...) }

func (p *pairs) Encode(raw []byte) []byte {
	for _, v := range p.list {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v.key))
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v.number))
	}
	return raw
}

func (p *pairs) Decode(raw []byte, n int) {
	for i := range n {
		p.list = append(p.list, pair{int64(binary.LittleEndian.Uint64(raw[16*i:])), int64(binary.LittleEndian.Uint64(raw[16*i+8:]))})
	}
}

func newPairs() *pairs { return &pairs{} }

func options(dir string, most int) Options {
	return Options{
		Dir: dir, FilePattern: "x-*", MaxRecords: most, MaxRanges: 16, ChunkRecords: 32,
		Purpose: "sorting takes files", NoFile: "name another directory", NoSpace: "make room",
	}
}

// TestSort: ranges come in ascending order with records in the order of the input,
// none has more records than allowed, and all are there, whatever the keys are.
func TestSort(t *testing.T) {
	for name, key := range map[string]func(*rand.Rand) int64{
		"even":    func(r *rand.Rand) int64 { return r.Int64N(1000) },
		"crowded": func(r *rand.Rand) int64 { return max(r.Int64N(1000)-900, 0) },
		"below":   func(r *rand.Rand) int64 { return r.Int64N(100) - 500 },
	} {
		for _, writers := range []int{1, 3} {
			rng := rand.New(rand.NewPCG(1, 2))
			var all []pair
			for i := range 20_000 {
				all = append(all, pair{key(rng), int64(i)})
			}
			dir := t.TempDir()
			s, err := New(options(dir, 500), newPairs, EvenBounds(0, 999, 10), writers)
			if err != nil {
				t.Fatal(err)
			}
			for i := range writers {
				for part := range slices.Chunk(all[i*len(all)/writers:(i+1)*len(all)/writers], 77) {
					if err := s.Writer(i).Add(&pairs{part}); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.Writer(i).Flush(); err != nil {
					t.Fatal(err)
				}
			}
			var got []pair
			for _, r := range s.Readers(3) {
				got = append(got, drain(t, r)...)
			}
			slices.SortStableFunc(all, func(a, b pair) int { return int(a.key - b.key) })
			if !slices.Equal(got, all) {
				t.Errorf("%s, %d writers: %d records of %d, or another order", name, writers, len(got), len(all))
			}
			if s.Open() > 0 {
				t.Errorf("%d sorters are open", s.Open())
			}
			if err := errors.Join(s.Close(), s.Close()); err != nil {
				t.Error(err)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("files are left: %v", left)
			}
		}
	}
}

func drain(t *testing.T, r *Reader[*pairs]) (all []pair) {
	t.Helper()
	p := newPairs()
	for {
		err := r.Next(t.Context(), p)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.Len() > 500 {
			t.Errorf("%d records at a time", p.Len())
		}
		slices.SortStableFunc(p.list, func(a, b pair) int { return int(a.key - b.key) })
		all = append(all, p.list...)
	}
}

// TestErrors: errors have their advice, and leave no file behind.
func TestErrors(t *testing.T) {
	_, err := New(options(filepath.Join(t.TempDir(), "absent"), 10), newPairs, []int64{0}, 2)
	if err == nil || !strings.HasPrefix(err.Error(), "sorting takes files: ") || !strings.HasSuffix(err.Error(), "; name another directory") {
		t.Error(err)
	}
	dir := t.TempDir()
	s, err := New(options(dir, 10), newPairs, []int64{0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	w := s.Writer(0)
	if err := w.Add(&pairs{make([]pair, 100)}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Readers(1)[0].Next(ctx, newPairs()); err != context.Canceled {
		t.Error(err)
	}
	w.file.Close()
	if err := w.Add(&pairs{make([]pair, 100)}); err == nil || !strings.HasPrefix(err.Error(), "temporary file: ") || !strings.HasSuffix(err.Error(), "; make room") {
		t.Error(err)
	}
	_ = s.Close()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}
