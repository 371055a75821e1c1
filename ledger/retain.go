package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Retention is how much a ledger keeps. Open incidents, and notifications that are
// still to be delivered, are never dropped.
type Retention struct {
	// Seconds is for how long incidents that are over, what was said of them,
	// and the audit are kept, by the time of rows. Incidents that somebody has
	// labelled with their true cause are kept for evaluations, whatever their age.
	Seconds int64
	// Bytes is how large the file may grow: the oldest incidents leave it, those
	// with a label last.
	Bytes int64
}

// DefaultRetention keeps five years, or a gigabyte.
func DefaultRetention() Retention { return Retention{Seconds: 5 * 365 * 86400, Bytes: 1 << 30} }

// Validate reports every setting that cannot work.
func (r *Retention) Validate() error {
	var errs []error
	if r.Seconds < 86400 {
		errs = append(errs, fmt.Errorf("incidents kept for %d s: keep them for a day or more", r.Seconds))
	}
	if r.Bytes < leastBytes {
		errs = append(errs, fmt.Errorf("a ledger of %d bytes: allow %d or more", r.Bytes, leastBytes))
	}
	return errors.Join(errs...)
}

// leastBytes is what an empty ledger and some incidents take.
const leastBytes = 1 << 20

// acknowledgedSeconds is for how long a delivery that was acknowledged is kept:
// long enough to see who was told what last week.
const acknowledgedSeconds = 30 * 86400

// Retain drops what is older or more than is to be kept, at a row's time. It works
// in small transactions, so that steps need not wait.
func (l *Ledger) Retain(ctx context.Context, rowTime int64, r Retention) error {
	before := rowTime - r.Seconds
	err := l.Step(ctx, func(tx *Tx) error {
		for _, do := range []struct {
			query string
			arg   int64
		}{
			{`DELETE FROM audit WHERE time < ?`, before},
			{`DELETE FROM feedback WHERE incident IS NULL AND time < ?`, before},
			{`DELETE FROM deliveries WHERE acknowledged <> 0 AND time < ?`, rowTime - min(acknowledgedSeconds, r.Seconds)},
		} {
			if err := tx.exec(do.query, do.arg); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for more := true; more; {
		if more, err = l.dropIncidents(ctx, `AND cleared < ? AND NOT EXISTS (SELECT 1 FROM feedback f WHERE f.incident = incidents.number AND f.cause <> '')`, before); err != nil {
			return err
		}
	}
	return l.shrink(ctx, r.Bytes)
}

// shrink drops the oldest incidents until the rest fits.
func (l *Ledger) shrink(ctx context.Context, bytes int64) error {
	for {
		used, err := l.used(ctx)
		if err != nil {
			return err
		}
		if used <= bytes {
			return l.release(ctx)
		}
		more, err := l.dropIncidents(ctx, "")
		if err != nil || !more {
			return errors.Join(err, l.release(ctx))
		}
	}
}

// dropAtOnce is how many incidents leave in one transaction.
const dropAtOnce = 50

func (l *Ledger) dropIncidents(ctx context.Context, which string, args ...any) (more bool, err error) {
	err = l.Step(ctx, func(tx *Tx) error {
		if err := tx.exec(`DELETE FROM incidents WHERE number IN (SELECT number FROM incidents WHERE phase = 'cleared' `+which+`
ORDER BY EXISTS (SELECT 1 FROM feedback f WHERE f.incident = incidents.number AND f.cause <> ''), cleared, number LIMIT ?)`, append(args, dropAtOnce)...); err != nil {
			return err
		}
		var n int
		err := tx.row(`SELECT changes()`).Scan(&n)
		more = n > 0
		return err
	})
	return more, err
}

// used is how many bytes of the file are in use.
func (l *Ledger) used(ctx context.Context) (n int64, err error) {
	err = l.readers.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&n)
	return n, err
}

// release gives pages that are free back to the file system.
func (l *Ledger) release(ctx context.Context) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	rows, err := l.writer.QueryContext(ctx, `PRAGMA incremental_vacuum`)
	if err != nil {
		return translate(err)
	}
	for rows.Next() { // each step gives a page back
	}
	return errors.Join(rows.Err(), rows.Close())
}

// Bytes is the size of the file, and of what is not yet folded into it.
func (l *Ledger) Bytes() int64 {
	var n int64
	for _, name := range []string{l.path, l.path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			n += info.Size()
		}
	}
	return n
}

// Backup writes a copy while everything goes on. The file must not exist. Whoever
// may read the ledger may read the copy, and nobody else.
func (l *Ledger) Backup(ctx context.Context, path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("backup %s: the file exists; name another, or remove it", path)
	}
	if err != nil {
		return fmt.Errorf("backup of %s: %w", l.path, err)
	}
	err = l.copyInto(ctx, path)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
		return fmt.Errorf("backup of %s to %s: %w", l.path, path, translate(err))
	}
	return nil
}

func (l *Ledger) copyInto(ctx context.Context, path string) error {
	copier, err := sql.Open("sqlite", address(l.path, "busy_timeout(10000)"))
	if err != nil {
		return err
	}
	defer copier.Close()
	_, err = copier.ExecContext(ctx, `VACUUM INTO ?`, path)
	return err
}
