package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	if r.Seconds < leastSeconds {
		errs = append(errs, fmt.Errorf("incidents kept for %d s: keep them for a day or more", r.Seconds))
	}
	if r.Bytes < leastBytes {
		errs = append(errs, fmt.Errorf("a ledger of %d bytes: allow %d or more", r.Bytes, leastBytes))
	}
	return errors.Join(errs...)
}

// leastSeconds is a day: more than is ever pushed again.
const leastSeconds = 86400

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
		return cmp.Or(
			tx.exec(`DELETE FROM audit WHERE time < ?`, before),
			tx.exec(`DELETE FROM feedback WHERE incident IS NULL AND time < ?`, before),
			tx.exec(`DELETE FROM deliveries WHERE acknowledged <> 0 AND time < ?`, rowTime-min(acknowledgedSeconds, r.Seconds)),
		)
	})
	if err != nil {
		return err
	}
	for more := true; more; {
		if more, err = l.dropIncidents(ctx, `AND cleared < ? AND NOT EXISTS (SELECT 1 FROM feedback f WHERE f.incident = incidents.number AND f.cause <> '')`, before); err != nil {
			return err
		}
	}
	return l.shrink(ctx, rowTime, r.Bytes)
}

// shrink drops the oldest incidents until the rest fits. Those that ended of late stay:
// rows of then may be pushed again after a crash.
func (l *Ledger) shrink(ctx context.Context, rowTime, bytes int64) error {
	for {
		used, err := l.file.Used(ctx)
		if err != nil {
			return err
		}
		if used <= bytes {
			return l.file.Release(ctx)
		}
		more, err := l.dropIncidents(ctx, `AND cleared < ?`, rowTime-leastSeconds)
		if err != nil || !more {
			return errors.Join(err, l.file.Release(ctx))
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
