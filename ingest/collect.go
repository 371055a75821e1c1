package ingest

import (
	"context"
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// A Warning is something that the rows are weaker for: samples left out or
// taken as missing. Its text says what would cure it.
type Warning = topology.Warning

// A Source yields rows in time order, each after the one before it, and knows
// what they are about. Steps that no component has a value for are left out.
type Source interface {
	// Schema says what the rows hold.
	Schema() table.Schema
	// System is what the rows are about.
	System() *topology.System
	// Next returns the next row, valid until the following call, or io.EOF.
	// It returns the error of the context soon after that has ended, and
	// the source can then only be closed.
	Next(ctx context.Context) (*table.Row, error)
	// Warnings lists what was wrong with the input so far.
	Warnings() []Warning
	// Close ends reading. It is called once, whether or not all was read.
	Close() error
}

// Stream is the rows of a source for those who take a [table.Stream]. It ends
// with the context.
func Stream(ctx context.Context, s Source) table.Stream { return stream{s, ctx} }

type stream struct {
	source Source
	ctx    context.Context
}

func (s stream) Schema() table.Schema { return s.source.Schema() }

func (s stream) Next() (*table.Row, error) { return s.source.Next(s.ctx) }

// ErrChanged is what Next of a source that goes on for ever returns when the
// system is another than before: the first was found, a server or a device
// came, a device was renamed, a topology was set. System and Schema answer
// anew from then on, and the rows go on where they were: none is lost.
var ErrChanged = errors.New("the system has changed: ask the source for it again")

// A NothingError says that there is nothing to be judged: no file, files without a
// record, or none of what was asked for. Files that are damaged are another error.
type NothingError struct{ error }

func (e *NothingError) Unwrap() error { return e.error }

// Nothing is the error of such data, in the words of fmt.Errorf.
func Nothing(format string, args ...any) error {
	return &NothingError{fmt.Errorf(format, args...)}
}
