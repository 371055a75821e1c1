package ledger

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/limpet-storage/limpet/internal/sqlfile"
	"github.com/limpet-storage/limpet/report/document"
)

// Tx is a transaction under way. It is valid until the function that got it
// returns.
type Tx struct {
	sql  *sqlfile.Tx
	l    *Ledger
	last int64 // number of the last event
}

// Step writes what a step of the diagnosis has to say: all of it, or nothing. When
// it returns nil, it is on disk. Where there is no space it returns [ErrFull], and
// the caller repeats the step later. A step that writes nothing costs next to
// nothing.
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

// announce wakes whoever waits for something to be written.
func (l *Ledger) announce(last int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = last
	close(l.changed)
	l.changed = make(chan struct{})
}

// LastEvent is the number of the last event; 0 where there was none.
func (l *Ledger) LastEvent() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Changed is a channel that is closed when something is written. Whoever asks for
// it before a query misses nothing.
func (l *Ledger) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}

// Wait returns when there is an event after a number, or when the context ends.
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

// Identity is the name of the ledger.
func (tx *Tx) Identity() string { return tx.l.identity }

// RowTime is the time of the last row that changed anything; 0 where none did.
func (tx *Tx) RowTime() (at int64, err error) {
	err = tx.row(`SELECT value FROM meta WHERE name = 'row_time'`).Scan(&at)
	return at, err
}

// NoteRow notes the time of a row that changes something. An earlier one changes
// nothing any more.
func (tx *Tx) NoteRow(at int64) error {
	return tx.exec(`UPDATE meta SET value = ? WHERE name = 'row_time' AND value < ?`, at, at)
}

func (tx *Tx) exec(query string, args ...any) error { return tx.sql.Exec(query, args...) }

func (tx *Tx) row(query string, args ...any) *sql.Row { return tx.sql.Row(query, args...) }

// list is a list as a query reads it, by json_each. Strings and numbers cannot fail.
func list[T ~string | ~int64](values []T) string {
	text, _ := json.Marshal(document.List(values))
	return string(text)
}

// read reads all rows of a query in a transaction.
func read[T any](tx *Tx, columns func(*T) []any, query string, args ...any) ([]T, error) {
	rows, err := tx.sql.Rows(query, args...)
	return sqlfile.Collect(rows, err, columns)
}

// ask reads all rows of a query beside what is written.
func ask[T any](ctx context.Context, l *Ledger, columns func(*T) []any, query string, args ...any) ([]T, error) {
	rows, err := l.file.Readers().QueryContext(ctx, query, args...)
	return sqlfile.Collect(rows, err, columns)
}
