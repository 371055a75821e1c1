package ledger

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"modernc.org/sqlite" // pure Go; it registers the driver, too
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors of a ledger that a caller may want to act on.
var (
	// ErrFull: there is no space. Nothing of the step was written; once there is
	// space, the same step can be repeated.
	ErrFull = errors.New("there is no space left for the ledger; make some, and it goes on by itself")
	// ErrDamaged: the file is no ledger any more.
	ErrDamaged = errors.New("is damaged; put a backup in its place, or move it aside and a new ledger is begun")
	// ErrNewer: the file was written by a newer limpet.
	ErrNewer = errors.New("was written by a newer limpet; install that version, or move the file aside and a new ledger is begun")
	// ErrForeign: the file is a database of something else.
	ErrForeign = errors.New("is a database, but no ledger of limpet; name another file")
	// ErrUnknown: there is no such incident.
	ErrUnknown = errors.New("no incident has this ID; it may have been kept for less long than that")
)

// Ledger is an open ledger. Its methods may be called by many goroutines.
type Ledger struct {
	*packer
	path     string
	identity string

	writing sync.Mutex // held for a transaction
	writes  *sql.DB
	writer  *sql.Conn
	readers *sql.DB

	mu      sync.Mutex
	last    int64         // number of the last event
	changed chan struct{} // closed when anything was written
}

// mostReaders bounds the connections of readers: each has a cache of two megabytes.
const mostReaders = 4

// Open opens a ledger, and begins one where there is no file. A file that is
// damaged, foreign or of a newer version is refused and left as it is: see
// [ErrDamaged], [ErrForeign] and [ErrNewer].
func Open(ctx context.Context, path string) (*Ledger, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	small, err := newPacker()
	if err != nil {
		return nil, err
	}
	l := &Ledger{packer: small, path: path, changed: make(chan struct{})}
	if err := l.open(ctx); err != nil {
		l.Close()
		return nil, fmt.Errorf("ledger %s: %w", path, translate(err))
	}
	return l, nil
}

func (l *Ledger) open(ctx context.Context) (err error) {
	if err := private(l.path); err != nil {
		return err
	}
	if err := check(ctx, l.path); err != nil {
		return err
	}
	if l.writes, err = sql.Open("sqlite", address(l.path,
		"busy_timeout(10000)", "auto_vacuum(incremental)", "journal_mode(wal)", "synchronous(full)", "foreign_keys(1)")); err != nil {
		return err
	}
	l.writes.SetMaxOpenConns(1)
	if l.writer, err = l.writes.Conn(ctx); err != nil {
		return err
	}
	if err := l.migrate(ctx); err != nil {
		return err
	}
	l.readers, err = sql.Open("sqlite", address(l.path, "busy_timeout(10000)", "query_only(1)"))
	if err != nil {
		return err
	}
	l.readers.SetMaxOpenConns(mostReaders)
	return l.recall(ctx)
}

// private makes sure that nobody else may read the file: feedback and audit name
// people.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// address names a file and what a connection is to be told first.
func address(path string, pragmas ...string) string {
	u := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	return u.String()
}

// check refuses what is no ledger, or cannot be read whole, and writes nothing.
func check(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", address(path, "busy_timeout(10000)", "query_only(1)"))
	if err != nil {
		return err
	}
	defer db.Close()
	var id, version, tables int
	if err := db.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`).Scan(&id, &version, &tables); err != nil {
		return err
	}
	switch {
	case id != applicationID && (id != 0 || tables > 0):
		return ErrForeign
	case version > len(migrations):
		return ErrNewer
	}
	var verdict string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w (%s)", ErrDamaged, strings.Join(strings.Fields(verdict), " "))
	}
	return nil
}

// migrate brings the schema up to date, in one transaction.
func (l *Ledger) migrate(ctx context.Context) error {
	return l.transact(ctx, func(tx *Tx) error {
		var version int
		if err := tx.row(`PRAGMA user_version`).Scan(&version); err != nil {
			return err
		}
		for _, m := range migrations[version:] {
			if err := tx.exec(m); err != nil {
				return err
			}
		}
		if version == 0 {
			if err := tx.exec(`INSERT INTO meta VALUES ('identity', ?), ('last_event', 0), ('row_time', 0)`, rand.Text()); err != nil {
				return err
			}
		}
		if version == len(migrations) {
			return nil
		}
		return tx.exec(fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, len(migrations)))
	})
}

// recall reads what is kept in memory.
func (l *Ledger) recall(ctx context.Context) error {
	if err := l.readers.QueryRowContext(ctx, `SELECT value FROM meta WHERE name = 'identity'`).Scan(&l.identity); err != nil {
		return err
	}
	return l.readers.QueryRowContext(ctx, `SELECT value FROM meta WHERE name = 'last_event'`).Scan(&l.last)
}

// Identity is the name of this ledger, drawn when it was begun. With it numbers of
// events are unique in the world.
func (l *Ledger) Identity() string { return l.identity }

// Path is that of the file.
func (l *Ledger) Path() string { return l.path }

// Close closes the ledger.
func (l *Ledger) Close() error {
	var errs []error
	if l.readers != nil {
		errs = append(errs, l.readers.Close())
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	if l.writer != nil {
		errs = append(errs, l.writer.Close())
	}
	if l.writes != nil {
		errs = append(errs, l.writes.Close())
	}
	return errors.Join(errs...)
}

// translate names errors of SQLite that mean something to a caller.
func translate(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w (%w)", ErrFull, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return err
}
