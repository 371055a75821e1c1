package tabular

import (
	"fmt"
)

// A Reader reads the blocks of a part.
type Reader interface {
	// Next reads a block, or returns io.EOF. A block may have no rows.
	Next(*Block) error
	// Lines counts those read so far, the ones left out too: of CSV the
	// header's as well, of Parquet rows.
	Lines() int64
	Close() error
}

// A BrokenError is a file that cannot be read, or not from some place on.
type BrokenError struct {
	Path, Kind string
	Err        error
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("%s: the %s data cannot be read: %v; write the file again or leave it out", e.Path, e.Kind, e.Err)
}

func (e *BrokenError) Unwrap() error { return e.Err }
