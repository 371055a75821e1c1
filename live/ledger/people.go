package ledger

import (
	"context"
	"database/sql"

	"github.com/limpet-storage/limpet/engine/command"
)

// Feedback is what somebody said of an incident, or of components.
type Feedback struct {
	Number int64
	// Key names a record that may be written again after a crash, and is ignored
	// then: its place in the journal. It is empty for what is written once.
	Key    string
	ID     string // of the incident; empty where it is about components alone
	Time   int64  // Unix time
	Who    string
	Verb   command.Verb
	Target string // as it was written: a component, a place, an ID
	Text   string
	Cause  string // what it truly was, for [feedback.Label]
	Until  int64  // end of a mute; 0 where it has none
}

// Feedback writes what somebody said. It returns [ErrUnknown] for an incident that
// the ledger does not have.
func (tx *Tx) Feedback(f Feedback) error {
	var number sql.NullInt64
	if err := tx.row(`SELECT max(number) FROM incidents WHERE id = ?`, f.ID).Scan(&number); err != nil {
		return err
	}
	if f.ID != "" && !number.Valid {
		return ErrUnknown
	}
	return tx.exec(`INSERT INTO feedback (key, incident, time, who, verb, target, text, cause, until)
VALUES (nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
		f.Key, number, f.Time, f.Who, string(f.Verb), f.Target, f.Text, f.Cause, f.Until)
}

// Audit is a change that somebody made, or was refused.
type Audit struct {
	Number int64
	Time   int64  // Unix time
	Who    string // name of the user
	Origin string // address that it came from
	Action string // "mute", "reload"
	Target string // what was changed
	Detail string
	// Outcome is "asked" of what is noted before it is done, or why it failed.
	Outcome string
}

// Audit writes who changed what.
func (tx *Tx) Audit(a Audit) error {
	return tx.exec(`INSERT INTO audit (time, who, origin, action, target, detail, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		a.Time, a.Who, a.Origin, a.Action, a.Target, a.Detail, a.Outcome)
}

// Audits are the changes that somebody made, the last first: those before a number,
// or all where it is 0, and at most so many.
func (l *Ledger) Audits(ctx context.Context, before int64, limit int) ([]Audit, error) {
	return ask(ctx, l, func(a *Audit) []any {
		return []any{&a.Number, &a.Time, &a.Who, &a.Origin, &a.Action, &a.Target, &a.Detail, &a.Outcome}
	}, `SELECT number, time, who, origin, action, target, detail, outcome FROM audit
WHERE ? = 0 OR number < ? ORDER BY number DESC LIMIT ?`, before, before, limit)
}

// Feedbacks are what was said of anything, the last first: that before a number, or
// all where it is 0, and at most so many.
func (l *Ledger) Feedbacks(ctx context.Context, before int64, limit int) ([]Feedback, error) {
	return l.feedback(ctx, `WHERE ? = 0 OR f.number < ? ORDER BY f.number DESC LIMIT ?`, before, before, limit)
}

// LastWord is the number of the last word that was written under a key of this form:
// "word 12".
func (l *Ledger) LastWord(ctx context.Context) (number int64, err error) {
	err = l.file.Readers().QueryRowContext(ctx, `SELECT coalesce(max(CAST(substr(key, 6) AS INTEGER)), 0) FROM feedback WHERE key LIKE 'word %'`).Scan(&number)
	return number, err
}

// Labels are the last words on what incidents truly were, of those that have their ID now,
// the last first, and at most so many.
func (l *Ledger) Labels(ctx context.Context, limit int) ([]Feedback, error) {
	return l.feedback(ctx, `WHERE f.number IN (
SELECT max(l.number) FROM feedback l JOIN incidents n ON n.number = l.incident
WHERE l.verb = ? AND n.number = (SELECT max(number) FROM incidents WHERE id = n.id) GROUP BY l.incident)
ORDER BY f.number DESC LIMIT ?`, string(command.Label), limit)
}

func (l *Ledger) feedback(ctx context.Context, which string, args ...any) ([]Feedback, error) {
	return ask(ctx, l, func(f *Feedback) []any {
		return []any{&f.Number, &f.Key, &f.ID, &f.Time, &f.Who, &f.Verb, &f.Target, &f.Text, &f.Cause, &f.Until}
	}, `SELECT f.number, coalesce(f.key, ''), coalesce(i.id, ''), f.time, f.who, f.verb, f.target, f.text, f.cause, f.until
FROM feedback f LEFT JOIN incidents i ON i.number = f.incident `+which, args...)
}
