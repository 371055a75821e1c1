package columns

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/limpet-storage/limpet/study/source/internal/clock"
	"github.com/limpet-storage/limpet/study/source/internal/lines"
)

// A File is an open table. It is what its first bytes say it is: Parquet, or
// lines of CSV, plain or compressed with gzip or zstd. One that is called
// Parquet and is not is broken.
type File struct {
	path   string
	file   *os.File
	size   int64 // what is appended while the file is read is left out
	names  []string
	leaves []parquet.LeafColumn // of Parquet, by name
	groups []parquet.RowGroup   // its parts
	// encodings of pages, by row group and column
	encodings [][][]format.PageEncodingStats
	lines     *csvFormat // of CSV; nil: Parquet
}

// Open reads what a table says of itself: a footer or a header. A separator
// of 0 is to be found out; Parquet has none.
func Open(path string, separator byte) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, plain(err)
	}
	f := &File{path: path, file: file}
	if err := f.begin(separator); err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

func (f *File) begin(separator byte) error {
	info, err := f.file.Stat()
	if err != nil {
		return plain(err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a file that can be read twice; write it to disk first", f.path)
	}
	f.size = info.Size()
	magic := make([]byte, 4)
	if n, err := f.file.ReadAt(magic, 0); err != nil && err != io.EOF {
		return plain(err)
	} else if magic = magic[:n]; string(magic) == "PAR1" {
		return f.beginParquet()
	}
	switch isNamed := strings.HasSuffix(f.path, ".parquet"); {
	case isNamed && f.size == 0:
		return f.broken(errEmpty)
	case isNamed:
		return f.broken(errors.New("it does not begin as such files do"))
	}
	return f.beginCSV(lines.PackingOf(magic), separator)
}

var errEmpty = errors.New("it is empty")

// plain makes the errors of the operating system name the file first, as all
// others do.
func plain(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}

// Close ends reading.
func (f *File) Close() error { return f.file.Close() }

// Names are those of the columns that have one value in a row.
func (f *File) Names() []string { return f.names }

// Parts is how many parts there are to read.
func (f *File) Parts() int {
	if f.lines == nil {
		return len(f.groups)
	}
	return f.lines.Parts(f.size)
}

// PartBytes is about how much of the file a part is.
func (f *File) PartBytes(part int) int64 {
	n := int64(f.Parts())
	return f.size*int64(part+1)/n - f.size*int64(part)/n
}

// Read begins to read a part. Faults may be nil.
func (f *File) Read(part int, wants []Want, watch *clock.Clock, faults *Faults) (Reader, error) {
	places := make([]int, len(wants))
	for i, w := range wants {
		if err := f.Require(w.Column); err != nil {
			return nil, err
		}
		places[i] = slices.Index(f.names, w.Column)
	}
	if f.lines != nil {
		return f.readCSV(part, wants, places, watch, faults)
	}
	return f.readParquet(part, wants, places, watch, faults)
}

// Require reports a column that is not there, or there twice.
func (f *File) Require(column string) error {
	at := slices.Index(f.names, column)
	switch {
	case at < 0:
		return fmt.Errorf("%s: no column %q; the file has %s: correct the description or leave the file out", f.path, column, f.listed())
	case slices.Contains(f.names[at+1:], column):
		return fmt.Errorf("%s: column %q comes twice; rename one of them", f.path, column)
	}
	return nil
}

// listed prints the names of columns, the first of very many.
func (f *File) listed() string {
	const many = 20
	names := make([]string, 0, many)
	for _, name := range f.names[:min(many, len(f.names))] {
		names = append(names, excerpt([]byte(name)))
	}
	if n := len(f.names) - many; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}
