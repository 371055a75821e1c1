package ledger

import (
	"context"
	"database/sql"
	"slices"

	"github.com/limpet-storage/limpet/engine/command"
)

// Command writes an operator's command. After a crash the commands in the journal are executed
// again. So Command writes nothing if the ledger already has a command with the same key. A command
// without a key is always written. Command returns [ErrUnknown] if the ledger does not have the
// incident that the command names.
func (tx *Tx) Command(c *command.Command) error { return tx.CommandAfter(0, c) }

// CommandAfter writes a command in the same way as Tx.Command. It also stores `row`, the end time
// of the last row before the command. [Ledger.CommandsAfter] returns this time.
func (tx *Tx) CommandAfter(row int64, c *command.Command) error {
	var number sql.NullInt64
	if err := tx.row(`SELECT max(number) FROM incidents WHERE id = ?`, c.Incident).Scan(&number); err != nil {
		return err
	}
	if c.Incident != "" && !number.Valid {
		return ErrUnknown
	}
	text, cause := c.Text, "" // the text of a label is stored in the column `cause`
	if c.Verb == command.Label {
		text, cause = "", c.Text
	}
	return tx.exec(`INSERT INTO feedback (key, incident, time, who, verb, target, text, cause, until, row, components)
VALUES (nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
		c.Key, number, c.Time, c.Who, string(c.Verb), c.Name, text, cause, c.Until, row, tx.l.packer.Pack([]byte(list(c.Components))))
}

// Audit is an entry of the audit trail: a change that a user made or tried to make.
type Audit struct {
	Number int64
	Time   int64  // Unix time
	Who    string // name of the user
	Origin string // address from which the request came
	Action string // name of the change, such as "mute" or "reload"
	Target string // the changed object, for example an incident ID or the name of a component
	Detail string
	// Outcome is [Asked] in the entry that is written before the change is made. A second entry has
	// the outcome of the change. It equals the first entry in all other fields.
	Outcome string
}

// Asked is the outcome of an entry of the audit trail that is written before the change is made.
const Asked = "asked"

// Audit writes an entry of the audit trail.
func (tx *Tx) Audit(a Audit) error {
	return tx.exec(`INSERT INTO audit (time, who, origin, action, target, detail, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		a.Time, a.Who, a.Origin, a.Action, a.Target, a.Detail, a.Outcome)
}

// Audits returns at most `limit` changes of the audit trail, the last change first. A change has the
// number of its first entry, and the outcome of its second entry. If there is no second entry, the
// outcome is [Asked]: limpet was stopped during the change, or an earlier version of limpet made the
// change. If the given number is not 0, Audits returns only changes with a lower number.
func (l *Ledger) Audits(ctx context.Context, before int64, limit int) ([]Audit, error) {
	changes, err := l.audits(ctx, `outcome IN ('', 'asked') AND (? = 0 OR number < ?) ORDER BY number DESC LIMIT ?`, before, before, limit)
	if err != nil || len(changes) == 0 {
		return changes, err
	}
	first, last := changes[0].Time, changes[0].Time
	for i := range changes {
		first, last = min(first, changes[i].Time), max(last, changes[i].Time)
	}
	outcomes, err := l.audits(ctx, `outcome NOT IN ('', 'asked') AND number > ? AND time BETWEEN ? AND ? ORDER BY number`, changes[len(changes)-1].Number, first, last)
	for i := range outcomes {
		setOutcome(changes, &outcomes[i])
	}
	return changes, err
}

// setOutcome sets the outcome of the last change that the entry can belong to and that has no outcome
// yet. The last change is first.
func setOutcome(changes []Audit, entry *Audit) {
	for i := range changes {
		c := &changes[i]
		same := *entry
		same.Number, same.Outcome = c.Number, c.Outcome
		if c.Number < entry.Number && *c == same && (c.Outcome == Asked || c.Outcome == "") {
			c.Outcome = entry.Outcome
			return
		}
	}
}

func (l *Ledger) audits(ctx context.Context, where string, args ...any) ([]Audit, error) {
	return queryRows(ctx, l, func(a *Audit) []any {
		return []any{&a.Number, &a.Time, &a.Who, &a.Origin, &a.Action, &a.Target, &a.Detail, &a.Outcome}
	}, `SELECT number, time, who, origin, action, target, detail, outcome FROM audit WHERE `+where, args...)
}

// Commands returns at most `limit` commands of operators. The last command comes first.
func (l *Ledger) Commands(ctx context.Context, limit int) ([]command.Command, error) {
	return l.commands(ctx, `ORDER BY f.number DESC LIMIT ?`, limit)
}

// PlacedCommand is a command and the time of the last row before the command was executed.
type PlacedCommand struct {
	command.Command
	Row int64 // end time of the last row before the command; 0 if unknown
}

// CommandsAfter returns the commands with numbers higher than the given number, in order. Only package
// watch gives numbers to commands, and only if limpet runs without a cluster. The keys of these
// commands are "word 1", "word 2" and so on. If an earlier version of limpet has written a command,
// the fields Row and Components of the command are empty.
func (l *Ledger) CommandsAfter(ctx context.Context, number int64) ([]PlacedCommand, error) {
	return queryRows(ctx, l, func(c *PlacedCommand) []any {
		return []any{
			&c.Number, &c.Key, &c.Incident, &c.Time, &c.Who, &c.Verb, &c.Name, &c.Text, &c.Until, &c.Row,
			l.packer.Into(&c.Components),
		}
	}, `SELECT CAST(substr(f.key, 6) AS INTEGER) AS word, f.key, coalesce(i.id, ''), f.time, f.who, f.verb, f.target, f.text || f.cause, f.until, f.row, f.components
FROM feedback f LEFT JOIN incidents i ON i.number = f.incident WHERE f.key LIKE 'word %' AND word > ? ORDER BY word`, number)
}

// Labels returns the last label of each incident that has a label. It returns at most `limit`
// labels, the last label first. If several incidents had the same ID, Labels considers only the
// newest of these incidents.
func (l *Ledger) Labels(ctx context.Context, limit int) ([]command.Command, error) {
	return l.commands(ctx, `WHERE f.number IN (
SELECT max(l.number) FROM feedback l JOIN incidents n ON n.number = l.incident
WHERE l.verb = ? AND n.number = (SELECT max(number) FROM incidents WHERE id = n.id) GROUP BY l.incident)
ORDER BY f.number DESC LIMIT ?`, string(command.Label), limit)
}

// Mutes returns at most `limit` mute commands: the last commands, in the order in which they were
// written. Each command has the components that it muted. A command that an earlier version of
// limpet has written has no components.
func (l *Ledger) Mutes(ctx context.Context, limit int) ([]command.Command, error) {
	list, err := queryRows(ctx, l, func(c *command.Command) []any {
		return []any{&c.Incident, &c.Time, &c.Who, &c.Verb, &c.Name, &c.Text, &c.Until, l.packer.Into(&c.Components)}
	}, `SELECT coalesce(i.id, ''), f.time, f.who, f.verb, f.target, f.text, f.until, f.components
FROM feedback f LEFT JOIN incidents i ON i.number = f.incident WHERE f.verb = ? ORDER BY f.number DESC LIMIT ?`, string(command.Mute), limit)
	slices.Reverse(list)
	return list, err
}

// commands reads commands from the ledger. The parameter `which` is the end of the SQL query: it
// selects and orders the commands. The text of a label is in the column `cause`, and the text of
// every other command is in the column `text`.
func (l *Ledger) commands(ctx context.Context, which string, args ...any) ([]command.Command, error) {
	return queryRows(ctx, l, func(c *command.Command) []any {
		return []any{&c.Key, &c.Incident, &c.Time, &c.Who, &c.Verb, &c.Name, &c.Text, &c.Until}
	}, `SELECT coalesce(f.key, ''), coalesce(i.id, ''), f.time, f.who, f.verb, f.target, f.text || f.cause, f.until
FROM feedback f LEFT JOIN incidents i ON i.number = f.incident `+which, args...)
}
