package segment

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/limpet-storage/limpet/ingest/tabular"
)

// BenchmarkParquetReaders reads an hour of 9,216 components from one file by three readers: this
// package, ingest/tabular and parquet-go. "column" is a whole column; "group" is 64 components in
// its middle, which ingest/tabular can only reach by reading the rows before them. The file is opened
// once, as a store does.
func BenchmarkParquetReaders(b *testing.B) {
	const components, times, group = 9216, 240, 64
	rng := rand.New(rand.NewPCG(1, 1))
	s := newSample(rng, components, times, 8)
	for c := range s.codes[0] {
		for t := range s.codes[0][c] {
			s.codes[0][c][t] = Round(rng.ExpFloat64() * 100) // nothing is missing: ingest/tabular would note it
		}
	}
	path := filepath.Join(b.TempDir(), "hour.parquet")
	if err := os.WriteFile(path, s.write(b), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, size := range []struct {
		name        string
		first, last int
	}{{"column", 0, components}, {"group", components / 2, components/2 + group}} {
		for _, reader := range []struct {
			name string
			open func(b *testing.B, path string) (read func(first, last int) (values int))
		}{{"segment", openBySegment}, {"tabular", openByTabular}, {"parquet-go", openByParquet}} {
			b.Run(size.name+"/"+reader.name, func(b *testing.B) {
				read := reader.open(b, path)
				for b.Loop() {
					if n := read(size.first*times, size.last*times); n != (size.last-size.first)*times {
						b.Fatalf("%d values", n)
					}
				}
			})
		}
	}
}

func openBySegment(b *testing.B, path string) func(first, last int) int {
	r, err := NewReader()
	if err != nil {
		b.Fatal(err)
	}
	s, err := r.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	return func(first, last int) int {
		codes, err := s.Range(b.Context(), "m0", first/len(s.Times), last/len(s.Times))
		if err != nil {
			b.Fatal(err)
		}
		return len(codes)
	}
}

func openByTabular(b *testing.B, path string) func(first, last int) int {
	f, err := tabular.Open(path, tabular.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	return func(first, last int) int {
		r, err := f.Read(0, []tabular.Want{{Column: "m0", Type: tabular.Number}}, nil, &tabular.Faults{})
		if err != nil {
			b.Fatal(err)
		}
		defer r.Close()
		var block tabular.Block
		row, n := 0, 0
		for row < last {
			if err := r.Next(&block); err != nil {
				b.Fatal(err)
			}
			n += max(0, min(row+block.Rows, last)-max(row, first))
			row += block.Rows
		}
		return n
	}
}

func openByParquet(b *testing.B, path string) func(first, last int) int {
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	f, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		b.Fatal(err)
	}
	leaf, ok := f.Schema().Lookup("m0")
	if !ok {
		b.Fatal("no column m0")
	}
	return func(first, last int) int {
		pages := f.RowGroups()[0].ColumnChunks()[leaf.ColumnIndex].Pages()
		defer pages.Close()
		if err := pages.SeekToRow(int64(first)); err != nil {
			b.Fatal(err)
		}
		n := 0
		for first+n < last {
			page, err := pages.ReadPage()
			if err != nil {
				b.Fatal(err)
			}
			values := page.Data()
			n += min(len(values.Float()), last-first-n)
			parquet.Release(page)
		}
		return n
	}
}
