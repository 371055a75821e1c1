package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// Retention limits the age and the size of a ledger. Open incidents, undelivered notifications and
// actions that are not over are never dropped.
type Retention struct {
	// Seconds is the time for which ended incidents, commands and the audit trail are kept, in
	// seconds of row time. This limit does not apply to an incident that an operator has labelled
	// with its true cause, because evaluations need labelled incidents.
	Seconds int64
	// Bytes is the largest size of the file, in bytes. If the file is larger, the oldest incidents
	// are dropped. Labelled incidents are dropped last.
	Bytes int64
}

// DefaultRetention returns a retention of five years and at most one gigabyte.
func DefaultRetention() Retention { return Retention{Seconds: 5 * 365 * 86400, Bytes: 1 << 30} }

// Validate returns an error that names every setting with an invalid value.
func (r *Retention) Validate() error {
	var errs []error
	if r.Seconds < leastSeconds {
		errs = append(errs, fmt.Errorf("the ledger keeps incidents for only %d s: keep incidents for at least a day (86400 s)", r.Seconds))
	}
	if r.Bytes < leastBytes {
		errs = append(errs, fmt.Errorf("a limit of %d bytes is too small for the ledger: allow at least %d bytes", r.Bytes, leastBytes))
	}
	return errors.Join(errs...)
}

// leastSeconds is the shortest allowed retention, in seconds: one day. After a crash, the journal
// replays rows of at most one day, and the ledger needs the incidents of these rows.
const leastSeconds = 86400

// leastBytes is the smallest allowed limit of the file's size, in bytes. It is enough for an empty
// ledger and some incidents.
const leastBytes = 1 << 20

// acknowledgedSeconds is the time for which an acknowledged delivery is kept: 30 days. An operator
// can see which notifications each receiver got in this time.
const acknowledgedSeconds = 30 * 86400

// Retain drops entries that are too old. If the file is too large, Retain also drops the oldest
// incidents. The parameter `rowTime` is the end time of the last row. Retain uses small
// transactions, so that other transactions do not wait long.
func (l *Ledger) Retain(ctx context.Context, rowTime int64, r Retention) error {
	before := rowTime - r.Seconds
	err := l.Step(ctx, func(tx *Tx) error {
		return cmp.Or(
			tx.exec(`DELETE FROM audit WHERE time < ?`, before),
			tx.exec(`DELETE FROM feedback WHERE incident IS NULL AND time < ?`, before),
			tx.exec(`DELETE FROM action_records WHERE action IN (SELECT id FROM actions WHERE ended <> 0 AND ended < ?) OR action = '' AND time < ?`, before, before),
			tx.exec(`DELETE FROM actions WHERE ended <> 0 AND ended < ?`, before),
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

// shrink drops the oldest incidents until the file is small enough. It keeps an incident that ended
// within the last day, because the rows of this day may be replayed after a crash.
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

// dropAtOnce is the number of incidents that one transaction drops.
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
