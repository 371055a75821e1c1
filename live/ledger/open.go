package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"

	"github.com/limpet-storage/limpet/internal/sqlfile"
)

// Errors of a ledger that a caller can handle. Package sqlfile describes the first four errors.
var (
	ErrFull    = sqlfile.ErrFull
	ErrDamaged = sqlfile.ErrDamaged
	ErrNewer   = sqlfile.ErrNewer
	ErrForeign = sqlfile.ErrForeign
	// ErrUnknown means that the ledger has no incident, or no action, with this ID.
	ErrUnknown = errors.New("no incident has this ID; the incident may have been deleted, because incidents are kept for a limited time")
)

// Ledger is an open ledger. Several goroutines may use it.
type Ledger struct {
	file     *sqlfile.File
	packer   *sqlfile.Packer
	identity string

	mu      sync.Mutex
	last    int64         // number of the last event
	changed chan struct{} // closed at the next write
}

// Open opens a ledger. If there is no file, Open creates one. If the file is damaged, Open returns
// [ErrDamaged]. If another program made the file, Open returns [ErrForeign]. If a newer version of
// limpet made the file, Open returns [ErrNewer]. In these cases the file stays unchanged.
func Open(ctx context.Context, path string) (*Ledger, error) {
	packer, err := sqlfile.NewPacker()
	if err != nil {
		return nil, err
	}
	file, err := sqlfile.Open(ctx, path, form)
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNewer) {
		return nil, fmt.Errorf("%w; to create an empty ledger, start limpet serve once with --new-ledger", err)
	}
	if err != nil {
		return nil, err
	}
	l := &Ledger{file: file, packer: packer, changed: make(chan struct{})}
	if err := l.recall(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// recall reads the identity of the ledger, and the number of its last event. A new ledger gets a
// random identity.
func (l *Ledger) recall(ctx context.Context) error {
	return l.Step(ctx, func(tx *Tx) error {
		var known bool
		if err := tx.row(`SELECT count(*) > 0 FROM meta`).Scan(&known); err != nil {
			return err
		}
		if !known {
			if err := tx.exec(`INSERT INTO meta VALUES ('identity', ?), ('last_event', 0), ('row_time', 0)`, rand.Text()); err != nil {
				return err
			}
		}
		if err := tx.row(`SELECT value FROM meta WHERE name = 'identity'`).Scan(&l.identity); err != nil {
			return err
		}
		return tx.row(`SELECT value FROM meta WHERE name = 'last_event'`).Scan(&tx.last)
	})
}

// Identity returns the random name of this ledger. An event number together with this name
// is unique among all ledgers.
func (l *Ledger) Identity() string { return l.identity }

// Path returns the path of the file.
func (l *Ledger) Path() string { return l.file.Path() }

// Bytes returns the size of the file and of its write-ahead log, in bytes.
func (l *Ledger) Bytes() int64 { return l.file.Bytes() }

// Unchecked returns the reason why Open could not compare the pages of the ledger with their
// checksums. It returns an empty text if all pages were compared.
func (l *Ledger) Unchecked() string { return l.file.Unchecked() }

// Backup writes a copy of the ledger to the given path, and checksums of the copy beside it. The
// path must not exist yet. The ledger can be used during the copy.
func (l *Ledger) Backup(ctx context.Context, path string) error { return l.file.Backup(ctx, path) }

// Close closes the ledger.
func (l *Ledger) Close() error { return l.file.Close() }
