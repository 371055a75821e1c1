package columns

import (
	"errors"
	"io"
	"strings"

	"github.com/limpet-storage/limpet/study/source/internal/lines"
)

// A csvFormat is a table of lines whose first names the columns.
type csvFormat struct {
	lines.Format
	separator byte
	width     int // fields of the header
}

func (f *File) beginCSV(p lines.Packing, separator byte) error {
	f.lines = &csvFormat{Format: lines.Format{Packing: p, Part: lines.PartBytes}, separator: separator}
	r, err := f.lines.Open(f.file, f.size, 0)
	if err != nil {
		return f.broken(err)
	}
	defer r.Close()
	line, err := r.Line()
	switch {
	case err == io.EOF:
		return f.broken(errEmpty)
	case err == lines.ErrLong:
		return f.broken(errors.New("its first line is no header"))
	case err != nil:
		return f.broken(err)
	}
	if separator == 0 {
		f.lines.separator = lines.Separator(line)
	}
	fields, ok := lines.Cut(nil, line, f.lines.separator)
	if !ok {
		return f.broken(errors.New("quotes in its header do not end"))
	}
	for _, field := range fields {
		f.names = append(f.names, strings.TrimSpace(string(field)))
	}
	f.lines.width = len(fields)
	return nil
}

// broken is the error of a file that cannot be read, or not from here on.
func (f *File) broken(err error) error {
	kind := "Parquet"
	if f.lines != nil {
		kind = string(f.lines.Packing)
	}
	return &BrokenError{f.path, kind, err}
}
