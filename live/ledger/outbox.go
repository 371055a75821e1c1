package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// Alert is the stored state of an alert. Package alert defines the content of State.
type Alert struct {
	ID    string
	Due   int64 // row time at which the alert must be processed, even if no further event has come; 0 if there is no such time
	State json.RawMessage
}

// Alert returns the state of an alert. It returns nil if the ledger does not have the alert.
func (tx *Tx) Alert(id string) (*Alert, error) {
	a := &Alert{ID: id}
	err := tx.row(`SELECT due, state FROM alerts WHERE id = ?`, id).Scan(&a.Due, &a.State)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return a, err
}

// PutAlert stores the state of an alert.
func (tx *Tx) PutAlert(a Alert) error {
	tx.noteAlert(AlertChange{Alert: a})
	return tx.exec(`INSERT INTO alerts VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET due = excluded.due, state = excluded.state`,
		a.ID, a.Due, []byte(a.State))
}

// DropAlert deletes the state of an alert.
func (tx *Tx) DropAlert(id string) error {
	tx.noteAlert(AlertChange{Alert: Alert{ID: id}, Dropped: true})
	return tx.exec(`DELETE FROM alerts WHERE id = ?`, id)
}

// DueAlerts returns the alerts whose field Due is set and is not later than the given row time. The
// alerts are ordered by Due.
func (tx *Tx) DueAlerts(rowTime int64) ([]Alert, error) {
	return read(tx, (*Alert).columns, `SELECT id, due, state FROM alerts WHERE due > 0 AND due <= ? ORDER BY due, id`, rowTime)
}

// AlertIDs returns all alert IDs that begin with the given prefix. The IDs are sorted.
func (tx *Tx) AlertIDs(prefix string) ([]string, error) {
	return read(tx, func(id *string) []any { return []any{id} },
		`SELECT id FROM alerts WHERE id >= ? AND substr(id, 1, length(?)) = ? ORDER BY id`, prefix, prefix, prefix)
}

// Alerts returns all alerts, ordered by ID.
func (tx *Tx) Alerts() ([]Alert, error) {
	return read(tx, (*Alert).columns, allAlerts)
}

// Alerts returns all alerts, ordered by ID.
func (l *Ledger) Alerts(ctx context.Context) ([]Alert, error) {
	return queryRows(ctx, l, (*Alert).columns, allAlerts)
}

const allAlerts = `SELECT id, due, state FROM alerts ORDER BY id`

func (a *Alert) columns() []any { return []any{&a.ID, &a.Due, &a.State} }

// Delivery is a notification for one receiver. The outbox is the table of notifications.
type Delivery struct {
	Number   int64 // position in the outbox; later notifications have higher numbers
	Receiver string
	Key      string // key of the notification; if the notification is made again after a crash, it has the same key
	Alert    string
	Time     int64 // time of the row that caused the notification
	Payload  json.RawMessage
}

// Deliver puts a notification into the outbox. It does nothing if the outbox already has the
// notification.
func (tx *Tx) Deliver(d Delivery) error {
	if tx.changes != nil {
		tx.changes.Deliveries = append(tx.changes.Deliveries, d)
	}
	return tx.exec(`INSERT INTO deliveries (receiver, key, alert, time, payload) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		d.Receiver, d.Key, d.Alert, d.Time, tx.l.packer.Pack(d.Payload))
}

// Queue returns the notifications that a receiver has not acknowledged, in order. It returns
// at most `limit` notifications.
func (l *Ledger) Queue(ctx context.Context, receiver string, limit int) ([]Delivery, error) {
	return queryRows(ctx, l, l.delivery, `SELECT number, receiver, key, alert, time, payload FROM deliveries
WHERE receiver = ? AND acknowledged = 0 ORDER BY number LIMIT ?`, receiver, limit)
}

func (l *Ledger) delivery(d *Delivery) []any {
	return []any{&d.Number, &d.Receiver, &d.Key, &d.Alert, &d.Time, l.packer.Into(&d.Payload)}
}

// Queued returns the number of notifications that a receiver has not acknowledged, and the row time
// of the first of these notifications. The time is 0 if there is no such notification.
func (l *Ledger) Queued(ctx context.Context, receiver string) (n int, oldest int64, err error) {
	err = l.file.Readers().QueryRowContext(ctx, `SELECT count(*), coalesce(min(time), 0) FROM deliveries WHERE receiver = ? AND acknowledged = 0`, receiver).Scan(&n, &oldest)
	return n, oldest, err
}

// Acknowledge stores that a receiver has acknowledged the notifications with the given numbers. The
// caller passes the Unix time of the acknowledgement, by the clock of this machine. When
// Acknowledge returns nil, the acknowledgement is on disk.
func (l *Ledger) Acknowledge(ctx context.Context, at int64, numbers ...int64) error {
	return l.mark(ctx, at, numbers)
}

// SetAside stores that a receiver refuses the notifications with the given numbers. These
// notifications are not sent again. The parameter `at` is the Unix time of the refusal, by the
// clock of this machine.
func (l *Ledger) SetAside(ctx context.Context, at int64, numbers ...int64) error {
	return l.mark(ctx, -at, numbers)
}

func (l *Ledger) mark(ctx context.Context, at int64, numbers []int64) error {
	return l.Step(ctx, func(tx *Tx) error {
		return tx.exec(`UPDATE deliveries SET acknowledged = ? WHERE number IN (SELECT value FROM json_each(?))`, at, list(numbers))
	})
}

// LastAcknowledged returns the time of a receiver's last acknowledgement. It returns 0 if
// there is no acknowledgement yet.
func (l *Ledger) LastAcknowledged(ctx context.Context, receiver string) (at int64, err error) {
	err = l.file.Readers().QueryRowContext(ctx, `SELECT coalesce(max(acknowledged), 0) FROM deliveries WHERE receiver = ?`, receiver).Scan(&at)
	return at, err
}

// DropReceivers deletes the undelivered notifications of all receivers that are not in the list.
// These receivers were removed from the configuration, so their notifications would never be sent.
func (tx *Tx) DropReceivers(receivers []string) error {
	return tx.exec(`DELETE FROM deliveries WHERE acknowledged = 0 AND receiver NOT IN (SELECT value FROM json_each(?))`, list(receivers))
}
