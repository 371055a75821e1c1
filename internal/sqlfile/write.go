package sqlfile

import (
	"context"
	"database/sql"
	"fmt"
)

// Tx is an open transaction. It is valid until the function that got it returns.
type Tx struct {
	ctx   context.Context
	conn  *sql.Conn
	wrote bool
}

// Write runs a transaction. If Write returns nil, all writes of the function are on disk; if it
// returns an error, none is. On a full disk, the error is [ErrFull]. wrote reports whether the
// function has written anything; a transaction without writes is cheap.
func (f *File) Write(ctx context.Context, do func(*Tx) error) (wrote bool, err error) {
	if wrote, err = f.write(ctx, do); err != nil {
		return false, f.named(err)
	}
	return wrote, nil
}

func (f *File) write(ctx context.Context, do func(*Tx) error) (wrote bool, err error) {
	f.writing.Lock()
	defer f.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if _, err := f.writer.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return false, err
	}
	committed := false
	defer func() {
		if !committed { // also if the function panics; SQLite may already have rolled back
			_, _ = f.writer.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		}
	}()
	tx := &Tx{ctx: ctx, conn: f.writer}
	if err := do(tx); err != nil {
		return false, err
	}
	if _, err := f.writer.ExecContext(ctx, `COMMIT`); err != nil {
		return false, err
	}
	committed = true
	if tx.wrote {
		f.checkpoint(ctx)
	}
	return tx.wrote, nil
}

// Context returns the context of the transaction.
func (tx *Tx) Context() context.Context { return tx.ctx }

// Exec runs a statement that writes.
func (tx *Tx) Exec(query string, args ...any) error {
	tx.wrote = true
	_, err := tx.conn.ExecContext(tx.ctx, query, args...)
	return err
}

// Row runs a query that returns one row.
func (tx *Tx) Row(query string, args ...any) *sql.Row {
	return tx.conn.QueryRowContext(tx.ctx, query, args...)
}

// Rows runs a query that returns rows.
func (tx *Tx) Rows(query string, args ...any) (*sql.Rows, error) {
	return tx.conn.QueryContext(tx.ctx, query, args...)
}

// Collect reads all rows of a query into values. columns returns the destinations of the columns in
// a value. If err, the error of the query, is not nil, Collect returns it.
func Collect[T any](rows *sql.Rows, err error, columns func(*T) []any) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []T{}
	for rows.Next() {
		var v T
		if err := rows.Scan(columns(&v)...); err != nil {
			return nil, fmt.Errorf("a row of the database cannot be read: %w", err)
		}
		list = append(list, v)
	}
	return list, rows.Err()
}
