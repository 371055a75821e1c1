package tabular

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/internal/unpack"
)

// Options are the options of [Open].
type Options struct {
	Separator byte // separator of fields; 0: the character that occurs most often in the header
	// Ragged reads lines with fewer fields than the header: the last fields are
	// missing. Otherwise such lines are left out.
	Ragged bool
	// Size is the number of bytes that are read: bytes that are appended later are not
	// read; 0: the size when the file is opened.
	Size int64
	// Format is the tool whose output the file is; nil: a table.
	Format *tool.TableFormat
	// Dates is the order of ambiguous dates in the output of a tool.
	Dates tool.DateOrder
	// WindowBytes is the largest window of a compressed file; 0: unpack.MaxWindow.
	WindowBytes int64
}

// A File is an open table. Its first bytes decide its kind: Parquet, or lines of CSV,
// plain or compressed with gzip, zstd or xz. A file with the extension parquet that is
// not Parquet is broken.
type File struct {
	Options
	path      string
	file      *os.File
	names     []string
	pages     *parquetFile // the file as Parquet; nil: it is CSV
	isLines   bool         // the file is CSV
	packing   unpack.Kind
	partBytes int64           // size of a part of plain CSV
	first     *openRecords    // records of the first part, after the header; nil: they were used already
	form      *tool.CSVReader // reader of the output of a tool
}

// Errors of a file without a table; [BrokenError] wraps them.
var (
	ErrEmpty  = errors.New("it is empty")
	ErrHeader = errors.New("no header in the first line")
)

// Open opens a table and reads its footer or header.
func Open(path string, o Options) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, paths.FileFirst(err)
	}
	f := &File{Options: o, path: path, file: file}
	if err := f.begin(); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (f *File) begin() error {
	info, err := f.file.Stat()
	if err != nil {
		return paths.FileFirst(err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a file that can be read twice; write it to disk first, and name directories behind links themselves", f.path)
	}
	if f.Size == 0 {
		f.Size = info.Size()
	}
	magic := make([]byte, unpack.MagicBytes)
	n, err := f.file.ReadAt(magic, 0)
	if err != nil && err != io.EOF {
		return paths.FileFirst(err)
	}
	if strings.HasPrefix(string(magic[:n]), "PAR1") {
		if f.pages, err = openParquet(f.file, f.Size); err != nil {
			return f.broken(err)
		}
		f.names = f.pages.Names()
		return nil
	}
	switch isNamed := strings.HasSuffix(f.path, ".parquet"); {
	case isNamed && f.Size == 0:
		return f.broken(ErrEmpty)
	case isNamed:
		return f.broken(errors.New("it does not begin as such files do"))
	}
	f.isLines, f.packing, f.partBytes = true, unpack.KindOf(magic[:n]), partBytes
	return f.beginLines()
}

// broken returns the error of a file that cannot be read, or not to its end.
func (f *File) broken(err error) error {
	kind := "Parquet"
	if f.isLines {
		kind = cmp.Or(string(f.packing), "CSV")
	}
	if f.Format != nil && f.packing == unpack.Plain {
		kind = f.Format.Name
	}
	return &BrokenError{f.path, kind, err}
}

// LeftOut returns the devices so far in the output of a tool that are no drives.
func (f *File) LeftOut() []string {
	if f.form == nil {
		return nil
	}
	return f.form.LeftOut()
}

// ToldDates returns the order of the dates so far in the output of a tool, and the first
// ambiguous date.
func (f *File) ToldDates() (told tool.DateOrder, unsure string) {
	if f.form == nil {
		return "", ""
	}
	return f.form.Dates().Order(), f.form.Dates().Unsure
}

// Close ends reading.
func (f *File) Close() error {
	if f.first != nil {
		f.first.end()
	}
	return f.file.Close()
}

// Names returns the names of the columns that have one value in a row.
func (f *File) Names() []string { return f.names }

// Parts returns the number of parts. A compressed file has one.
func (f *File) Parts() int {
	switch {
	case !f.isLines:
		return f.pages.Parts()
	case f.packing != unpack.Plain || f.Format != nil:
		return 1
	}
	return max(1, int((f.Size+f.partBytes-1)/f.partBytes))
}

// PartBytes returns about the size of a part in bytes.
func (f *File) PartBytes(part int) int64 {
	n := int64(f.Parts())
	return f.Size*int64(part+1)/n - f.Size*int64(part)/n
}

// Read begins to read a part. Faults may be nil.
func (f *File) Read(part int, wants []Want, watch *Clock, faults *Faults) (Reader, error) {
	if err := f.Check(wants); err != nil {
		return nil, err
	}
	if f.isLines {
		return f.readLines(part, wants, watch, faults)
	}
	r, err := f.pages.Read(part, wants, watch, faults)
	if err != nil {
		return nil, f.broken(err)
	}
	return pageReader{r, f}, nil
}

// A pageReader names the file in errors.
type pageReader struct {
	*parquetReader
	file *File
}

// Next reads a block, or returns io.EOF.
func (r pageReader) Next(b *Block) error {
	err := r.parquetReader.Next(b)
	if err != nil && err != io.EOF {
		return r.file.broken(err)
	}
	return err
}

// Check returns an error for wants that the file cannot meet, also where it has no rows.
func (f *File) Check(wants []Want) error {
	var names []string
	for _, w := range wants {
		names = append(names, w.Column)
	}
	if err := f.Require(names...); err != nil || f.isLines {
		return err
	}
	if err := f.pages.Check(wants); err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	return nil
}

// Require returns an error for columns that are absent or that occur twice.
func (f *File) Require(columns ...string) error {
	var absent, twice []string
	for _, column := range columns {
		at := slices.Index(f.names, column)
		switch {
		case at < 0:
			absent = append(absent, column)
		case slices.Contains(f.names[at+1:], column):
			twice = append(twice, column)
		}
	}
	switch {
	case len(absent) > 0:
		return &ColumnError{f.path, absent, f.listed()}
	case len(twice) > 0:
		return fmt.Errorf("%s: column %s comes twice; rename one of them", f.path, strings.Join(twice, ", "))
	}
	return nil
}

// A ColumnError is the error of a file without some columns.
type ColumnError struct {
	Path   string
	Absent []string
	listed string // names of the columns that the file has
}

func (e *ColumnError) Error() string {
	return fmt.Sprintf("%s: no column %s; the file has %s: correct the description or leave the file out",
		e.Path, strings.Join(e.Absent, ", "), e.listed)
}

// listed returns the names of the first columns, for messages.
func (f *File) listed() string {
	const many = 20
	var names []string
	for _, name := range f.names[:min(many, len(f.names))] {
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			name = excerpt([]byte(name))
		}
		names = append(names, name)
	}
	if n := len(f.names) - many; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}
