// In a cluster the tables `alerts` and `deliveries` are copies. One node decides which alerts fire,
// and writes its decisions into a log that all nodes read. Every node applies the records of this
// log, in order, to its own ledger. The functions here find out which changes a decision makes, and
// apply these changes. Package cluster writes and reads the log.

package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// AlertChanges are the changes that a decision makes to the tables `alerts` and `deliveries`.
type AlertChanges struct {
	Alerts     []AlertChange
	Deliveries []Delivery // Delivery.Number is not used: each ledger numbers its deliveries itself
	Row        int64      // time of the row that caused the changes; 0 if no row caused the changes
}

// AlertChange is the new state of an alert.
type AlertChange struct {
	Alert
	Dropped bool // true if the alert is deleted
}

// Empty reports whether there is no change of an alert and no notification.
func (c *AlertChanges) Empty() bool { return len(c.Alerts)+len(c.Deliveries) == 0 }

// errTried is the error with which Try ends its transaction, so that SQLite discards all changes.
var errTried = errors.New("internal error: the transaction was a trial and was not saved")

// Try runs a function in a transaction and returns the changes that the function makes to alerts
// and deliveries. Then it discards the transaction, so that the ledger stays as it was.
func (l *Ledger) Try(ctx context.Context, decide func(*Tx) error) (AlertChanges, error) {
	var changes AlertChanges
	err := l.Step(ctx, func(tx *Tx) error {
		tx.changes = &changes
		return cmp.Or(decide(tx), errTried)
	})
	if errors.Is(err, errTried) {
		err = nil
	}
	return changes, err
}

// noteAlert adds a change to the list that Try returns. A later change of the same alert replaces
// the earlier change.
func (tx *Tx) noteAlert(c AlertChange) {
	if tx.changes == nil {
		return
	}
	for i := range tx.changes.Alerts {
		if tx.changes.Alerts[i].ID == c.ID {
			tx.changes.Alerts[i] = c
			return
		}
	}
	tx.changes.Alerts = append(tx.changes.Alerts, c)
}

// ApplyAlerts applies changes that Try has returned, perhaps in another ledger.
func (tx *Tx) ApplyAlerts(c *AlertChanges) error {
	for i := range c.Alerts {
		one := &c.Alerts[i]
		err := tx.DropAlert(one.ID)
		if err == nil && !one.Dropped {
			err = tx.PutAlert(one.Alert)
		}
		if err != nil {
			return err
		}
	}
	for i := range c.Deliveries {
		if err := tx.Deliver(c.Deliveries[i]); err != nil {
			return err
		}
	}
	return tx.NoteRow(c.Row)
}

// KeepAlerts deletes the alerts that are not in the list of IDs.
func (tx *Tx) KeepAlerts(ids []string) error {
	return tx.exec(`DELETE FROM alerts WHERE id NOT IN (SELECT value FROM json_each(?))`, list(ids))
}

// Settle stores that a receiver has acknowledged a notification, or that the notification was set
// aside. The parameter `at` is the Unix time of the acknowledgement. If the notification was set
// aside, `at` is the Unix time multiplied by −1. A later answer to the same notification has no
// effect.
func (tx *Tx) Settle(receiver, key string, at int64) error {
	return tx.exec(`UPDATE deliveries SET acknowledged = ? WHERE receiver = ? AND key = ? AND acknowledged = 0`, at, receiver, key)
}

// Undelivered returns the notifications of all receivers that are not acknowledged yet, in order.
func (l *Ledger) Undelivered(ctx context.Context) ([]Delivery, error) {
	return queryRows(ctx, l, l.delivery, `SELECT number, receiver, key, alert, time, payload FROM deliveries WHERE acknowledged = 0 ORDER BY number`)
}

// AlertLog is the position of this ledger in the log of alerts of a cluster: the last record that the
// ledger has applied. It also has values from the applied records.
type AlertLog struct {
	Cluster string `json:"cluster"` // identity of the cluster
	At      uint64 `json:"at"`      // number of the last record of the log that was applied
	// The cluster has decided about the alerts of all events up to the number Through. Through is
	// the number of a record in the log of the tasks' output.
	Through uint64 `json:"through"`
	// IsComplete means that the log has all alerts: the first node that decided about alerts has
	// written the alerts of its ledger into the log.
	IsComplete bool `json:"complete"`
	// QuietBefore is the time at which the cluster began to decide about alerts. Rows before this
	// time cause no notification (see alert.Options).
	QuietBefore int64 `json:"quiet_before"`
	// Refreshed is the Unix time at which the states of all alerts and all undelivered
	// notifications were last written into the log.
	Refreshed int64 `json:"refreshed"`
	// MissesActions means that this node lacks changes of actions. The log had already dropped these
	// changes when this node read the log.
	MissesActions bool `json:"misses_actions,omitempty"`
}

// AlertLog returns the position of this ledger in the log of alerts. If the ledger has never followed
// such a log, the field Cluster of the result is empty.
func (tx *Tx) AlertLog() (at AlertLog, err error) {
	var text string
	err = tx.row(`SELECT value FROM meta WHERE name = 'alert_log'`).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return at, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &at)
	}
	return at, err
}

// PutAlertLog stores the data that AlertLog returns.
func (tx *Tx) PutAlertLog(at AlertLog) error {
	text, err := json.Marshal(at)
	if err != nil {
		return err
	}
	return tx.exec(`INSERT OR REPLACE INTO meta VALUES ('alert_log', ?)`, string(text))
}

// WaitingReceivers returns the names of the receivers that have not acknowledged all notifications.
func (l *Ledger) WaitingReceivers(ctx context.Context) ([]string, error) {
	return queryRows(ctx, l, func(name *string) []any { return []any{name} }, `SELECT DISTINCT receiver FROM deliveries WHERE acknowledged = 0 ORDER BY receiver`)
}
