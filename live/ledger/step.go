package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/sqlfile"
	"github.com/limpet-storage/limpet/report/document"
)

// Tx is an open transaction. Step passes a Tx to a function. The Tx is valid until this function
// returns.
type Tx struct {
	sql  *sqlfile.Tx
	l    *Ledger
	last int64 // number of the last event, including the events of this transaction

	changes *AlertChanges // changes of alerts and deliveries in this transaction; nil if the caller does not need them
}

// Step runs the given function in a transaction: either all changes of the function are stored, or
// no change is stored. When Step returns nil, the changes are on disk. If the disk is full, Step
// returns [ErrFull], and the caller should call Step again later. A transaction that writes nothing
// takes almost no time.
func (l *Ledger) Step(ctx context.Context, write func(*Tx) error) error {
	tx := &Tx{l: l}
	wrote, err := l.file.Write(ctx, func(t *sqlfile.Tx) error {
		tx.sql, tx.last = t, l.LastEvent()
		return write(tx)
	})
	if err == nil && (wrote || tx.last > l.LastEvent()) {
		l.announce(tx.last)
	}
	return err
}

// announce sets the number of the last event, and wakes the goroutines that wait for a write.
func (l *Ledger) announce(last int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = last
	close(l.changed)
	l.changed = make(chan struct{})
}

// LastEvent returns the number of the last event. It returns 0 if there is no event.
func (l *Ledger) LastEvent() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Changed returns a channel that is closed at the next write. A caller must get the channel before
// it runs a query. Otherwise it could miss a write between the query and the call of Changed.
func (l *Ledger) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}

// Wait returns when the ledger has an event whose number is higher than the given number, or when
// the context ends.
func (l *Ledger) Wait(ctx context.Context, after int64) error {
	for {
		changed := l.Changed()
		if l.LastEvent() > after {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Identity returns the random name of the ledger (see Ledger.Identity).
func (tx *Tx) Identity() string { return tx.l.identity }

// RowTime returns the time of the last row that changed suspects or alerts. It returns 0 if no row
// has changed suspects or alerts yet.
func (tx *Tx) RowTime() (at int64, err error) {
	err = tx.row(`SELECT value FROM meta WHERE name = 'row_time'`).Scan(&at)
	return at, err
}

// Position holds, for each list of a ledger, the number of the last entry that was ever written.
// These numbers never decrease, even if old entries are dropped. So a ledger with lower numbers
// than before has lost entries.
type Position struct {
	Commands      int64 `json:"commands"`
	Audits        int64 `json:"audits"`
	Notifications int64 `json:"notifications"`
	Actions       int64 `json:"actions"` // number of the last record of actions
}

// Position returns the number of the last entry of each list.
func (l *Ledger) Position(ctx context.Context) (p Position, err error) {
	err = l.file.Readers().QueryRowContext(ctx, `SELECT coalesce(sum(seq) FILTER (WHERE name = 'feedback'), 0),
coalesce(sum(seq) FILTER (WHERE name = 'audit'), 0), coalesce(sum(seq) FILTER (WHERE name = 'deliveries'), 0), coalesce((SELECT value FROM meta WHERE name = 'last_action_record'), 0) FROM sqlite_sequence`).Scan(&p.Commands, &p.Audits, &p.Notifications, &p.Actions)
	return p, err
}

// Lost compares an earlier position p of a ledger with its present position. It returns a text for
// each list that has lost entries, such as "3 commands".
func (p Position) Lost(now Position) (lost []string) {
	if n := p.Commands - now.Commands; n > 0 {
		lost = append(lost, english.Count(int(n), "command"))
	}
	if n := p.Audits - now.Audits; n > 0 {
		lost = append(lost, fmt.Sprintf("%d %s of the audit trail", n, english.Verb(int(n), "entry", "entries")))
	}
	if n := p.Notifications - now.Notifications; n > 0 {
		lost = append(lost, english.Count(int(n), "notification"))
	}
	if n := p.Actions - now.Actions; n > 0 {
		lost = append(lost, english.Count(int(n), "record")+" of actions")
	}
	return lost
}

// NoteRow stores the time of a row that changes suspects or alerts. A time before the stored time
// has no effect.
func (tx *Tx) NoteRow(at int64) error {
	if tx.changes != nil {
		tx.changes.Row = max(tx.changes.Row, at)
	}
	return tx.exec(`UPDATE meta SET value = ? WHERE name = 'row_time' AND value < ?`, at, at)
}

func (tx *Tx) exec(query string, args ...any) error { return tx.sql.Exec(query, args...) }

func (tx *Tx) row(query string, args ...any) *sql.Row { return tx.sql.Row(query, args...) }

// list returns values as a JSON array, for json_each in a query. It needs no error result, because
// strings and numbers can always be written as JSON.
func list[T ~string | ~int64](values []T) string {
	text, _ := json.Marshal(document.List(values))
	return string(text)
}

// read runs a query within a transaction and returns all rows of the query's result. The call
// columns(x) returns pointers to the fields of x, one pointer for each column of a row.
func read[T any](tx *Tx, columns func(*T) []any, query string, args ...any) ([]T, error) {
	rows, err := tx.sql.Rows(query, args...)
	return sqlfile.Collect(rows, err, columns)
}

// queryRows runs a query and returns all rows of the query's result. It uses a separate connection, so
// that the query does not wait for the writer.
func queryRows[T any](ctx context.Context, l *Ledger, columns func(*T) []any, query string, args ...any) ([]T, error) {
	rows, err := l.file.Readers().QueryContext(ctx, query, args...)
	return sqlfile.Collect(rows, err, columns)
}
