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
	Separator byte // separator of fields; 0 means the character that occurs most often in the header
	Comma     bool // true if numbers have a decimal comma
	// If Ragged is true, lines with fewer fields than the header are read, and their last fields
	// count as missing. Otherwise such lines are left out.
	Ragged bool
	// Size is the number of bytes to read. The value 0 means the size of the file when it is opened.
	// Bytes that are appended later are not read.
	Size int64
	// Format is the tool that printed the file. It is nil if the file is a table.
	Format *tool.TableFormat
	// Dates is the order of day and month in ambiguous dates of the output of a tool.
	Dates tool.DateOrder
	// WindowBytes is the largest window of the decompressor, in bytes. The value 0 means
	// unpack.MaxWindow.
	WindowBytes int64
}

// A File is an open table. Its first bytes show its kind: Parquet, or lines of CSV, plain or
// compressed with gzip, zstd or xz. If a file with the extension parquet is not Parquet, it counts
// as broken.
type File struct {
	Options
	path      string
	file      *os.File
	names     []string
	pages     *parquetFile // the file as Parquet; nil if the file is CSV
	isLines   bool         // true if the file is CSV
	packing   unpack.Kind
	partBytes int64           // size of a part of plain CSV, in bytes
	first     *openRecords    // reader of the first part, after the header; nil if Read has already returned this reader
	form      *tool.CSVReader // reader of the output of a tool
}

// Errors of a file without a table; [BrokenError] wraps them.
var (
	ErrEmpty  = errors.New("the file is empty")
	ErrHeader = errors.New("the first line does not name the columns")
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
		return fmt.Errorf("%s: limpet must read the data twice, but this path is a pipe or a symbolic link to a directory. If the path is a pipe, write the data to a file on disk. If the path is a link, name the directory itself", f.path)
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
			return f.brokenError(err)
		}
		f.names = f.pages.Names()
		return nil
	}
	switch isNamed := strings.HasSuffix(f.path, ".parquet"); {
	case isNamed && f.Size == 0:
		return f.brokenError(ErrEmpty)
	case isNamed:
		return f.brokenError(errors.New("the start of the file is not the start of a Parquet file: check the format of the file"))
	}
	f.isLines, f.packing, f.partBytes = true, unpack.KindOf(magic[:n]), partBytes
	return f.beginLines()
}

// brokenError returns the error of a file that cannot be read completely.
func (f *File) brokenError(err error) error {
	kind := "Parquet"
	if f.isLines {
		kind = cmp.Or(string(f.packing), "CSV")
	}
	if f.Format != nil && f.packing == unpack.Plain {
		kind = f.Format.Name
	}
	return &BrokenError{f.path, kind, err}
}

// LeftOut returns the devices that are left out because they are not drives. It covers only the
// part of the output that was read so far. It returns nil for tables.
func (f *File) LeftOut() []string {
	if f.form == nil {
		return nil
	}
	return f.form.LeftOut()
}

// DateOrder returns the order of day and month in the dates of the output of a tool, and
// the first ambiguous date. It covers the dates that were read so far. Both results are
// empty for tables.
func (f *File) DateOrder() (told tool.DateOrder, unsure string) {
	if f.form == nil {
		return "", ""
	}
	return f.form.Dates().Order(), f.form.Dates().Ambiguous
}

// Close closes the file.
func (f *File) Close() error {
	if f.first != nil {
		f.first.end()
	}
	return f.file.Close()
}

// Names returns the names of the columns that have at most one value in each row. It leaves out
// nested and repeated columns of Parquet.
func (f *File) Names() []string { return f.names }

// Parts returns the number of parts of the file. Each part can be read independently of the others.
// A compressed file, or the output of a tool, has one part.
func (f *File) Parts() int {
	switch {
	case !f.isLines:
		return f.pages.Parts()
	case f.packing != unpack.Plain || f.Format != nil:
		return 1
	}
	return max(1, int((f.Size+f.partBytes-1)/f.partBytes))
}

// PartBytes returns the approximate size of a part in bytes.
func (f *File) PartBytes(part int) int64 {
	n := int64(f.Parts())
	return f.Size*int64(part+1)/n - f.Size*int64(part)/n
}

// Read returns a reader of a part. The given clock parses times. The given Faults counts the
// faults; it may be nil.
func (f *File) Read(part int, wants []Want, watch *Clock, faults *Faults) (Reader, error) {
	if err := f.Check(wants); err != nil {
		return nil, err
	}
	if f.isLines {
		return f.readLines(part, wants, watch, faults)
	}
	r, err := f.pages.Read(part, wants, watch, faults)
	if err != nil {
		return nil, f.brokenError(err)
	}
	return pageReader{r, f}, nil
}

// A pageReader is a parquetReader whose errors contain the name of the file.
type pageReader struct {
	*parquetReader
	file *File
}

// Next reads a block. It returns io.EOF at the end.
func (r pageReader) Next(b *Block) error {
	err := r.parquetReader.Next(b)
	if err != nil && err != io.EOF {
		return r.file.brokenError(err)
	}
	return err
}

// Check returns an error if a wanted column is absent, or if its type cannot be read as
// wanted. It also checks a file without rows.
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

// Require returns an error if the file lacks one of the given columns, or has it twice.
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
		return &ColumnError{f.path, absent, f.names, f.firstNames()}
	case len(twice) > 0:
		return fmt.Errorf("%s: column %s is listed twice; rename one of the two columns", f.path, strings.Join(twice, ", "))
	}
	return nil
}

// A ColumnError means that a file lacks some of the required columns.
type ColumnError struct {
	Path    string
	Absent  []string
	Columns []string // names of all columns of the file
	listed  string   // names of its first columns, for the message
}

func (e *ColumnError) Error() string {
	return fmt.Sprintf("%s: there is no column %s; the file has the columns %s: correct the description file, or leave this file out",
		e.Path, strings.Join(e.Absent, ", "), e.listed)
}

// firstNames returns the names of the first columns, for messages.
func (f *File) firstNames() string {
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
