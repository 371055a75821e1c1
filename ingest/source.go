package ingest

import (
	"context"
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// A Warning names samples that are left out or count as missing. Its text includes
// the cure.
type Warning = topology.Warning

// A Source yields rows in time order, and the system that they describe. It leaves
// out steps in which no component has a value.
type Source interface {
	// Schema describes the rows: step, metrics and number of components.
	Schema() table.Schema
	// System returns the system that the rows describe.
	System() *topology.System
	// Next returns the next row, valid until the following call, or io.EOF.
	// Soon after the context has ended it returns the error of the context;
	// the source can then only be closed.
	Next(ctx context.Context) (*table.Row, error)
	// Warnings lists the faults of the input so far.
	Warnings() []Warning
	// Close ends reading. It is called once, even if not all rows were read.
	Close() error
}

// Stream returns the rows of a source as a [table.Stream]. It ends with the context.
func Stream(ctx context.Context, s Source) table.Stream { return stream{s, ctx} }

type stream struct {
	source Source
	ctx    context.Context
}

func (s stream) Schema() table.Schema { return s.source.Schema() }

func (s stream) Next() (*table.Row, error) { return s.source.Next(s.ctx) }

// ErrChanged is returned by Next of an endless source when its system has changed:
// it was found for the first time, a server or a device was added, a device was
// renamed, or a topology was set. System and Schema then return the new system. The
// rows continue, and none is lost.
var ErrChanged = errors.New("the system has changed: ask the source for it again")

// A NothingError is the error of input without data: no file, files without a record,
// or no data of the selection. Damaged files are another error.
type NothingError struct{ error }

func (e *NothingError) Unwrap() error { return e.error }

// Nothing returns a [NothingError] with the text of fmt.Errorf.
func Nothing(format string, args ...any) error {
	return &NothingError{fmt.Errorf(format, args...)}
}
