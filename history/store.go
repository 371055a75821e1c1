package history

import (
	"context"
	"errors"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Store is an open history. One goroutine writes: Begin, Row, Window, Flush and
// Close. All else may be called from several goroutines meanwhile.
type Store struct{}

var errNotYet = errors.New("not yet")

// Open opens the history in a directory, which it makes where there is none.
func Open(dir string, o Options) (*Store, error) { return nil, errNotYet }

// Begin says what the rows and windows to come are about. It is called before the
// first row, and again whenever the system or the schema changes.
func (s *Store) Begin(system *topology.System, schema table.Schema) error { return errNotYet }

// Row keeps a row. One that is not later than those on the disk is known already
// and left out. An error says that rows were lost, from when to when, and why; the
// store goes on with the next.
func (s *Store) Row(r *table.Row) error { return errNotYet }

// Window keeps what a window says. The window's metric is a place in the schema's.
func (s *Store) Window(w *detect.Window) error { return errNotYet }

// Flush writes all that waits, so that a journal may forget it.
func (s *Store) Flush() error { return errNotYet }

// Close flushes and ends the store.
func (s *Store) Close() error { return errNotYet }

// Span says what is there.
func (s *Store) Span() Span { return Span{} }

// Usage says what each tier takes.
func (s *Store) Usage() []Usage { return nil }

// Troubles are sentences about files that cannot be read, one for each.
func (s *Store) Troubles() []string { return nil }

// Series returns what a component did beside its peers between two times, in no
// more than maxPoints buckets. Which tier that is read from is the store's choice:
// the finest that is kept so long and that can be read soon enough.
func (s *Store) Series(ctx context.Context, component, metric string, from, to int64, maxPoints int) (*Series, error) {
	return nil, errNotYet
}

// Scores returns what windows that ended after from and not after to said of a
// component.
func (s *Store) Scores(ctx context.Context, component string, from, to int64) (*Scores, error) {
	return nil, errNotYet
}

// Map returns one value of every component at a time: that of the step which the
// time lies in, or of the quarter hour where steps are not kept so long; of scores
// that of the last window which had ended.
func (s *Store) Map(ctx context.Context, what What, at int64) (*Map, error) { return nil, errNotYet }
