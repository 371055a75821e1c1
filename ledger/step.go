package ledger

import (
	"context"
	"database/sql"
	"fmt"
)

// Tx is a transaction under way. It is valid until the function that got it
// returns.
type Tx struct {
	ctx   context.Context
	l     *Ledger
	last  int64 // number of the last event
	wrote bool
}

// Step writes what a step of the diagnosis has to say: all of it, or nothing. When
// it returns nil, it is on disk. Where there is no space it returns [ErrFull], and
// the caller repeats the step later. A step that writes nothing costs next to
// nothing.
func (l *Ledger) Step(ctx context.Context, write func(*Tx) error) error {
	if err := l.transact(ctx, write); err != nil {
		return fmt.Errorf("ledger %s: %w", l.path, translate(err))
	}
	return nil
}

func (l *Ledger) transact(ctx context.Context, write func(*Tx) error) (err error) {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	tx := &Tx{ctx: ctx, l: l, last: l.LastEvent()}
	if err := tx.exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	tx.wrote = false
	committed := false
	defer func() {
		if !committed { // also where the function panics; SQLite may have rolled back already
			l.writer.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		}
	}()
	if err := write(tx); err != nil {
		return err
	}
	wrote := tx.wrote
	if err := tx.exec(`COMMIT`); err != nil {
		return err
	}
	if committed = true; wrote {
		l.announce(tx.last)
	}
	return nil
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

// Context is that of the step.
func (tx *Tx) Context() context.Context { return tx.ctx }

// Identity is the name of the ledger.
func (tx *Tx) Identity() string { return tx.l.identity }

// LastEvent is the number of the last event, those of this transaction included.
func (tx *Tx) LastEvent() int64 { return tx.last }

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

func (tx *Tx) exec(query string, args ...any) error {
	tx.wrote = true
	_, err := tx.l.writer.ExecContext(tx.ctx, query, args...)
	return err
}

func (tx *Tx) row(query string, args ...any) *sql.Row {
	return tx.l.writer.QueryRowContext(tx.ctx, query, args...)
}

func (tx *Tx) rows(query string, args ...any) (*sql.Rows, error) {
	return tx.l.writer.QueryContext(tx.ctx, query, args...)
}
