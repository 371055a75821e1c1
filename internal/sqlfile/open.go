package sqlfile

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"modernc.org/sqlite" // pure Go; the import also registers the driver
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors that a caller may want to act on.
var (
	// ErrFull: the disk is full. Nothing of the transaction was written. When there is space, the
	// transaction can be tried again.
	ErrFull = errors.New("the disk is full; free some space on this disk")
	// ErrDamaged: the file cannot be read completely.
	ErrDamaged = errors.New("the file is damaged; restore the file from a backup, or move the file to another directory to start with a new file")
	// ErrNewer: a newer version of limpet wrote the file.
	ErrNewer = errors.New("a newer version of limpet wrote the file; install the newer version, or move the file to another directory to start with a new file")
	// ErrForeign: the file is a database of another program.
	ErrForeign = errors.New("the file is a database of another program; name another file")
)

// Form describes the tables of a file.
type Form struct {
	Name          string // name in errors, such as "ledger"
	ApplicationID uint32 // marks files of the form; other databases are refused
	// Migrations holds the statements that lead from each version to the next. The version of a
	// file is the number of migrations that were applied to it.
	Migrations []string
}

// File is an open file. Several goroutines may call its methods.
type File struct {
	form Form
	path string

	// raw is the file, opened to compute its checksums. It is closed after all connections: if it
	// were closed earlier, the locks of SQLite on the file would end, because they belong to the
	// process.
	raw          *os.File
	unchecked    string // see Unchecked
	checkpointAt int64  // size of the log at which it is copied into the file; 0: checkpointBytes

	writing sync.Mutex // locked during a transaction
	writes  *sql.DB
	writer  *sql.Conn
	readers *sql.DB
}

// MostReaders is the largest number of connections of readers: each has a cache of two megabytes.
const MostReaders = 4

// Open opens a file, or creates it. Only the owner may read a new file. The errors include
// [ErrDamaged], [ErrForeign] and [ErrNewer].
func Open(ctx context.Context, path string, form Form) (*File, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	f := &File{form: form, path: path}
	if err := f.open(ctx); err != nil {
		f.Close()
		return nil, f.named(err)
	}
	return f, nil
}

func (f *File) open(ctx context.Context) (err error) {
	if f.raw, err = os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	if err := checkSize(f.raw); err != nil {
		return err
	}
	current, err := f.checkPages(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err == nil && !current {
			f.writeSums()
		}
	}()
	if f.writes, err = connect(f.path, "auto_vacuum(incremental)", "journal_mode(wal)", "wal_autocheckpoint(0)", "journal_size_limit(0)", "synchronous(full)", "foreign_keys(1)"); err != nil {
		return err
	}
	f.writes.SetMaxOpenConns(1)
	if f.writer, err = f.writes.Conn(ctx); err != nil {
		return err
	}
	if _, err := f.write(ctx, f.migrate); err != nil {
		return err
	}
	if f.readers, err = connect(f.path, "query_only(1)"); err != nil {
		return err
	}
	f.readers.SetMaxOpenConns(MostReaders)
	return nil
}

// checkPages returns an error if a page has changed, or if [File.check] returns an error. current
// is true if the stored checksums are correct now.
func (f *File) checkPages(ctx context.Context) (current bool, err error) {
	info, err := f.raw.Stat()
	if err != nil {
		return false, err
	}
	log := &walPages{}
	if info.Size() == 0 { // a new file; if there are checksums, they belong to another file
		if err := f.removeSums(); err != nil {
			return false, err
		}
	} else {
		if log, err = readLog(f.path + "-wal"); err != nil {
			return false, err
		}
		if current, err = f.checkSums(log); err != nil {
			return false, err
		}
	}
	db, err := connect(f.path, "query_only(1)")
	if err != nil {
		return false, err
	}
	err = f.check(ctx, db)
	if log.size > 0 && f.unchecked == "" { // copy now: closing would remove the log before the checksums are right
		current = f.copyLog(ctx, db)
		if !current {
			err = cmp.Or(err, f.removeSums())
		}
	}
	return current, cmp.Or(err, db.Close())
}

// checkSize returns an error if the file has not the size in its header. SQLite would read a
// missing part of the last page as zeros. If there is a write-ahead log, for example after a kill,
// the file may have any size.
func checkSize(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	if wal, err := os.Stat(file.Name() + "-wal"); err == nil && wal.Size() > 0 {
		return nil
	}
	head := make([]byte, headerBytes)
	if _, err := file.ReadAt(head, 0); err != nil {
		return fmt.Errorf("%w (the file is shorter than its header)", ErrDamaged)
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 1 << 16
	}
	if want := page * int64(binary.BigEndian.Uint32(head[28:])); want > 0 && info.Size() != want {
		return fmt.Errorf("%w (the file has %d bytes instead of %d)", ErrDamaged, info.Size(), want)
	}
	return nil
}

// headerBytes is the size of the header of an SQLite file.
const headerBytes = 100

// connect returns a pool of connections to the file at an absolute path. Each connection first sets
// the pragmas.
func connect(path string, pragmas ...string) (*sql.DB, error) {
	pragmas = append([]string{"busy_timeout(10000)"}, pragmas...)
	u := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	return sql.Open("sqlite", u.String())
}

// check returns an error if the file has another form, or cannot be read completely. It writes
// nothing. If the file has no checksums, check also compares each index with its table.
func (f *File) check(ctx context.Context, db *sql.DB) error {
	var id uint32
	var version, tables int
	if err := db.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`).Scan(&id, &version, &tables); err != nil {
		return err
	}
	switch {
	case id != f.form.ApplicationID && (id != 0 || tables > 0):
		return ErrForeign
	case version > len(f.form.Migrations):
		return ErrNewer
	}
	if tables == 0 {
		f.unchecked = "" // the program ended while it created the file
	}
	query := `PRAGMA quick_check(1)`
	if f.unchecked != "" {
		query = `PRAGMA integrity_check(1)`
	}
	var verdict string
	if err := db.QueryRowContext(ctx, query).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w (%s)", ErrDamaged, strings.Join(strings.Fields(verdict), " "))
	}
	return nil
}

// migrate applies the missing migrations.
func (f *File) migrate(tx *Tx) error {
	var version int
	if err := tx.Row(`PRAGMA user_version`).Scan(&version); err != nil || version == len(f.form.Migrations) {
		return err
	}
	for _, m := range f.form.Migrations[version:] {
		if err := tx.Exec(m); err != nil {
			return err
		}
	}
	return tx.Exec(fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, f.form.ApplicationID, len(f.form.Migrations)))
}

// Path returns the absolute path of the file.
func (f *File) Path() string { return f.path }

// Readers returns connections that cannot write.
func (f *File) Readers() *sql.DB { return f.readers }

// Unchecked returns the reason why the pages of the file could not be compared with their checksums
// when the file was opened; empty if all pages were compared. If there is a reason, Open has
// checked the structure of the file and has written new checksums. But values in the file may have
// changed before.
func (f *File) Unchecked() string { return f.unchecked }

// Close closes the file.
func (f *File) Close() error {
	var errs []error
	if f.readers != nil {
		errs = append(errs, f.readers.Close())
	}
	f.writing.Lock()
	defer f.writing.Unlock()
	whole := true
	if f.writer != nil {
		if whole = f.copyLog(context.Background(), f.writer); !whole { // Close of the connection copies the rest
			errs = append(errs, f.removeSums())
		}
		errs = append(errs, f.writer.Close())
	}
	if f.writes != nil {
		errs = append(errs, f.writes.Close()) // SQLite removes the write-ahead log
	}
	if f.raw != nil {
		if f.writer != nil && !whole {
			f.writeSums()
		}
		errs = append(errs, f.raw.Close())
		f.writer, f.raw = nil, nil
	}
	return errors.Join(errs...)
}

// named adds the path of the file to an error, and [ErrFull] or [ErrDamaged] to errors of SQLite
// with this meaning.
func (f *File) named(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_FULL:
			err = fmt.Errorf("%w (%w)", ErrFull, err)
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			err = fmt.Errorf("%w (%w)", ErrDamaged, err)
		}
	}
	return fmt.Errorf("%s %s: %w", f.form.Name, f.path, err)
}
