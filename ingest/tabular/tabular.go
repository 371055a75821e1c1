package tabular

import (
	"fmt"
)

// A Reader reads one part of a file, block by block (see [File.Parts]).
type Reader interface {
	// Next reads a block. It returns io.EOF at the end. A block may have no rows.
	Next(*Block) error
	// Lines returns the number of lines that were read so far, including the lines that
	// are left out. For CSV it includes the header. For Parquet a line is a row.
	Lines() int64
	Close() error
}

// A BrokenError is the error of a file that cannot be read completely.
type BrokenError struct {
	Path, Kind string
	Err        error
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("%s: the %s data cannot be read: %v; write the file again, or leave this file out", e.Path, e.Kind, e.Err)
}

func (e *BrokenError) Unwrap() error { return e.Err }
