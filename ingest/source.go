package ingest

import (
	"context"
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// A Warning describes a fault of the input, such as samples that are left out. Its text includes
// advice on how to correct the fault.
type Warning = topology.Warning

// A Source yields rows in time order, and the system that the rows describe. It
// yields no row for a step without data.
type Source interface {
	// Schema describes the rows: step, metrics and number of components.
	Schema() table.Schema
	// System returns the system that the rows describe.
	System() *topology.System
	// Next returns the next row, or io.EOF after the last row. The row is valid until the next call
	// of Next. Soon after the context has ended, Next returns the error of the context. After that
	// error the caller may only call Close.
	Next(ctx context.Context) (*table.Row, error)
	// Warnings lists the faults of the input that were found so far.
	Warnings() []Warning
	// Close ends reading. Call it once, even if some rows were not read.
	Close() error
}

// Stream returns the rows of a source as a [table.Stream]. The stream ends when the
// context ends.
func Stream(ctx context.Context, s Source) table.Stream { return stream{s, ctx} }

type stream struct {
	source Source
	ctx    context.Context
}

func (s stream) Schema() table.Schema { return s.source.Schema() }

func (s stream) Next() (*table.Row, error) { return s.source.Next(s.ctx) }

// ErrChanged is the error that Next returns when the system of the source has changed. Only a source
// without an end returns ErrChanged, such as a source of files that grow. The system has changed in
// these cases:
//
//   - The system was found for the first time.
//   - A server or a device was added.
//   - A device was renamed.
//   - A topology was set.
//
// After this error, System and Schema describe the new system. The next call of Next returns the
// next row. No row is lost.
var ErrChanged = errors.New("the list of components has changed: the caller must read the system and the schema again")

// A NothingError is the error for input without data: there is no file, the files
// have no record, or the selection has no data. Damaged files cause other errors.
type NothingError struct{ error }

func (e *NothingError) Unwrap() error { return e.error }

// Nothing returns a [NothingError]. It formats the text as fmt.Errorf does.
func Nothing(format string, args ...any) error {
	return &NothingError{fmt.Errorf(format, args...)}
}
