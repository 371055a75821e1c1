package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// ErrBehind means that another process has written a record about an action, and that the calling
// process has not read this record yet.
var ErrBehind = errors.New("another process has written records of actions to the ledger: run only one limpet serve with this ledger")

// Action is the stored state of an action on a slow part. Package live/action defines the content of
// Document.
type Action struct {
	ID       string
	Incident string // ID of the incident; empty if the action is about a suspect
	Ended    int64  // Unix time at which the action was over; 0 if it is not over
	Document json.RawMessage
}

// ActionRecord is one record in the history of all actions. Package live/action defines the content of
// Document.
type ActionRecord struct {
	Seq      int64
	Action   string // ID of the action; empty if the record is about the switch that stops all actions
	Time     int64  // Unix time
	Document json.RawMessage
}

// ActionChange is one change of the stored actions. In a cluster, the nodes send such changes to
// each other through a log. From time to time a node writes a copy of the present state into the
// log: one ActionChange for each action.
type ActionChange struct {
	Record *ActionRecord   // record of what happened; nil if this ActionChange is part of a copy of the present state
	Action *Action         // new state of the action; nil if it has not changed
	Switch json.RawMessage // new state of the switch that stops all actions; nil if it has not changed
	// Through is set only in a copy of the present state. It is the number of the last record that
	// the copy includes.
	Through int64
}

// IsComplete reports whether this ActionChange ends a copy of the present state. The last change of
// a copy has neither Record nor Action.
func (c *ActionChange) IsComplete() bool { return c.Record == nil && c.Action == nil }

// LastActionRecord returns the number of the last record of actions. It returns 0 if there is no
// record.
func (tx *Tx) LastActionRecord() (seq int64, err error) {
	err = tx.row(`SELECT coalesce((SELECT value FROM meta WHERE name = 'last_action_record'), 0)`).Scan(&seq)
	return seq, err
}

// AppendAction stores a change that has a record. The number of the record is one higher than the
// last number that the caller knows. If the ledger already has a record with this number,
// AppendAction writes nothing and returns [ErrBehind].
func (tx *Tx) AppendAction(c *ActionChange) error {
	last, err := tx.LastActionRecord()
	if err != nil {
		return err
	}
	if c.Record.Seq != last+1 {
		return ErrBehind
	}
	return tx.storeAction(c)
}

// ApplyAction stores a change that another node of the cluster has made. It stores nothing if the
// ledger has this change already. If a node was down for a long time, it may miss some records. Its
// ledger then has the state of every action, but not the whole history of the action.
func (tx *Tx) ApplyAction(c *ActionChange) error {
	last, err := tx.LastActionRecord()
	if err != nil {
		return err
	}
	if c.Record != nil && c.Record.Seq <= last || c.Record == nil && c.Through <= last && c.Through != 0 {
		return nil
	}
	return tx.storeAction(c)
}

func (tx *Tx) storeAction(c *ActionChange) error {
	last := int64(0)
	if r := c.Record; r != nil {
		last = r.Seq
		if err := tx.exec(`INSERT INTO action_records VALUES (?, ?, ?, ?)`, r.Seq, r.Action, r.Time, tx.l.packer.Pack(r.Document)); err != nil {
			return err
		}
	} else if c.IsComplete() {
		last = c.Through
	}
	if last != 0 { // store the last number in `meta`: old records are deleted, but their numbers must not be used again
		if err := tx.exec(`INSERT OR REPLACE INTO meta VALUES ('last_action_record', ?)`, last); err != nil {
			return err
		}
	}
	if c.Switch != nil {
		if err := tx.exec(`INSERT OR REPLACE INTO meta VALUES ('actions_stopped', ?)`, string(c.Switch)); err != nil {
			return err
		}
	}
	a := c.Action
	if a == nil {
		return nil
	}
	return tx.exec(`INSERT INTO actions VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET incident = excluded.incident, ended = excluded.ended, document = excluded.document`,
		a.ID, a.Incident, a.Ended, tx.l.packer.Pack(a.Document))
}

// PrefixActions puts a prefix before the IDs of all actions that have no prefix yet, and gives
// negative numbers to the records of these actions. A node calls PrefixActions when it joins a
// cluster, because the cluster numbers its own actions and records from 1 on.
func (tx *Tx) PrefixActions(prefix string) error {
	var shift int64 // new number = old number − shift; each new number is negative, and lower than every number in use
	err := tx.row(`SELECT coalesce(max(seq) - min(min(seq), 0) + 1, 0) FROM action_records`).Scan(&shift)
	if err != nil {
		return err
	}
	if err := tx.exec(`UPDATE actions SET id = ? || id WHERE id NOT LIKE '%-%'`, prefix); err != nil {
		return err
	}
	if err := tx.exec(`UPDATE action_records SET seq = seq - ?, action = CASE action WHEN '' THEN '' ELSE ? || action END WHERE seq > 0`, shift, prefix); err != nil {
		return err
	}
	return tx.exec(`DELETE FROM meta WHERE name = 'last_action_record'`)
}

// ActionSwitch returns the state of the switch that stops all actions. It returns nil if the switch was
// never used.
func (tx *Tx) ActionSwitch() (json.RawMessage, error) {
	var text string
	err := tx.row(`SELECT value FROM meta WHERE name = 'actions_stopped'`).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return json.RawMessage(text), err
}

// Actions returns the actions that are not over, and the actions that ended after a Unix time. The
// actions are in the order in which they were created.
func (tx *Tx) Actions(endedAfter int64) ([]Action, error) {
	return read(tx, tx.l.actionColumns, `SELECT id, incident, ended, document FROM actions WHERE ended = 0 OR ended > ? ORDER BY CAST(id AS INTEGER), id`, endedAfter)
}

// Actions returns at most `limit` actions, the last action first. If the given incident ID is not
// empty, Actions returns only the actions of this incident.
func (l *Ledger) Actions(ctx context.Context, incident string, limit int) ([]Action, error) {
	return queryRows(ctx, l, l.actionColumns, `SELECT id, incident, ended, document FROM actions WHERE ? = '' OR incident = ? ORDER BY CAST(id AS INTEGER) DESC, id DESC LIMIT ?`, incident, incident, limit)
}

// Action returns the action with the given ID. It returns [ErrUnknown] if the ledger does not have the
// action.
func (l *Ledger) Action(ctx context.Context, id string) (*Action, error) {
	list, err := queryRows(ctx, l, l.actionColumns, `SELECT id, incident, ended, document FROM actions WHERE id = ?`, id)
	if err == nil && len(list) == 0 {
		err = ErrUnknown
	}
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// ActionRecords returns at most `limit` records of an action, in order. For an empty ID, it returns
// the records of the switch that stops all actions.
func (l *Ledger) ActionRecords(ctx context.Context, id string, limit int) ([]ActionRecord, error) {
	return queryRows(ctx, l, func(r *ActionRecord) []any {
		return []any{&r.Seq, &r.Action, &r.Time, l.packer.Into(&r.Document)}
	}, `SELECT seq, action, time, document FROM action_records WHERE action = ? ORDER BY seq LIMIT ?`, id, limit)
}

func (l *Ledger) actionColumns(a *Action) []any {
	return []any{&a.ID, &a.Incident, &a.Ended, l.packer.Into(&a.Document)}
}
