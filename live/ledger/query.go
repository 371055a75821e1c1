package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/document"
)

// Order decides how a list of incidents is sorted.
type Order string

// The orders of incidents.
const (
	Newest  Order = "newest"  // by onset, latest first
	Oldest  Order = "oldest"  // by onset, earliest first
	Worst   Order = "worst"   // by how many times slower the worst member is than its peers, largest first
	Changed Order = "changed" // by the last change, latest first
)

var orders = map[Order]string{
	Newest:  "onset DESC, number DESC",
	Oldest:  "onset, number",
	Worst:   "worst DESC, number DESC",
	Changed: "changed DESC, number DESC",
}

// Query selects incidents. The zero value selects all incidents.
type Query struct {
	Phases    []incident.Phase // only incidents in one of these phases; empty means all phases
	From, To  int64            // only incidents that were open during at least a part of this time range, in Unix times; 0 means no limit
	Component string           // only incidents at this name: the name of the place, of a member, or of a part of the system that contains a member, such as an array
	Kind      string
	Text      string // words; only incidents whose texts, comments or labels contain every word
	Harmless  *bool  // true selects only harmless incidents, false selects only incidents that are not harmless, nil selects all incidents
	Muted     *bool  // true selects only muted incidents, false selects only incidents that are not muted, nil selects all incidents
	Order     Order  // empty means Newest
	Limit     int    // largest number of incidents in the page; 0 means 100
	Offset    int
	// After is the ID of an incident. The page has only incidents that follow this incident in the
	// order Newest. So the page stays the same when new incidents are added.
	After string
}

// usualLimit is the largest number of incidents that a query returns if the query sets no limit.
const usualLimit = 100

// conditions returns the SQL conditions of a query, and the arguments of the conditions.
func (q *Query) conditions() (string, []any) {
	conditions, args := []string{"1"}, []any(nil)
	and := func(condition string, values ...any) {
		conditions, args = append(conditions, condition), append(args, values...)
	}
	if len(q.Phases) > 0 {
		and("phase IN (SELECT value FROM json_each(?))", list(q.Phases))
	}
	if q.From > 0 {
		and("(cleared = 0 OR cleared >= ?)", q.From)
	}
	if q.To > 0 {
		and("onset < ?", q.To)
	}
	if q.Component != "" {
		and("number IN (SELECT incident FROM names WHERE name = ?)", q.Component)
	}
	if q.Kind != "" {
		and("kind = ?", q.Kind)
	}
	for _, word := range strings.Fields(strings.ToLower(q.Text)) {
		and("(instr(search, ?) > 0 OR number IN (SELECT incident FROM feedback WHERE instr(lower(text || ' ' || cause), ?) > 0))", word, word)
	}
	if q.Harmless != nil {
		and("harmless = ?", *q.Harmless)
	}
	if q.Muted != nil {
		and("muted = ?", *q.Muted)
	}
	if q.After != "" {
		and("(onset, number) < (SELECT onset, number FROM incidents WHERE id = ?)", q.After)
	}
	return strings.Join(conditions, " AND "), args
}

// Incidents returns one page of the incidents that a query selects, and the total number of
// selected incidents.
func (l *Ledger) Incidents(ctx context.Context, q Query) (page []Incident, total int, err error) {
	where, args := q.conditions()
	if err := l.file.Readers().QueryRowContext(ctx, `SELECT count(*) FROM incidents WHERE `+where, args...).Scan(&total); err != nil {
		return nil, 0, err
	}
	order, ok := orders[q.Order]
	if !ok {
		order = orders[Newest]
	}
	limit := q.Limit
	if limit <= 0 {
		limit = usualLimit
	}
	page, err = l.incidents(ctx, where+" ORDER BY "+order+" LIMIT ? OFFSET ?", append(args, limit, q.Offset)...)
	return page, total, err
}

func (l *Ledger) incidents(ctx context.Context, where string, args ...any) ([]Incident, error) {
	return queryRows(ctx, l, func(in *Incident) []any {
		return []any{
			&in.Number, &in.ID, &in.Phase, &in.Kind, &in.Class, &in.Place.Tier, &in.Place.Name, &in.Harmless, &in.Muted,
			&in.Onset, &in.Confirmed, &in.Cleared, &in.Changed, &in.Ending, &in.Into, &in.Severity, &in.Worst, &in.Title, &in.Headline,
			l.packer.Into(&in.Document),
		}
	}, `SELECT number, id, phase, kind, class, tier, place, harmless, muted,
onset, confirmed, cleared, changed, ending, part_of, severity, worst, title, headline, document FROM incidents WHERE `+where, args...)
}

// Record is an incident, with its events and the commands about the incident.
type Record struct {
	Incident
	Events   []Event           // events of the incident, in the order of their numbers
	Commands []command.Command // commands about the incident, in the order in which they were written
	Earlier  []Incident        // earlier incidents that had the same ID, the latest first
}

// Incident returns the incident with the given ID, or the only incident whose ID begins with the
// given text. It returns [ErrUnknown] if the ledger does not have such an incident, and an
// [AmbiguousError] if several IDs begin with the text.
func (l *Ledger) Incident(ctx context.Context, id string) (*Record, error) {
	in, err := l.incident(ctx, id)
	if errors.Is(err, ErrUnknown) {
		in, err = l.findByPrefix(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	r, id := &Record{Incident: *in}, in.ID
	if r.Earlier, err = l.incidents(ctx, `id > ? AND id < ? ORDER BY number DESC`, id+".", id+"/"); err != nil {
		return nil, err
	}
	if r.Events, err = l.events(ctx, `incident = ? ORDER BY seq`, r.Number); err != nil {
		return nil, err
	}
	r.Commands, err = l.commands(ctx, `WHERE f.incident = ? ORDER BY f.number`, r.Number)
	return r, err
}

func (l *Ledger) incident(ctx context.Context, id string) (*Incident, error) {
	all, err := l.incidents(ctx, `id = ?`, id)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, ErrUnknown
	}
	return &all[0], nil
}

// FewestDigits is the smallest number of characters to which a user may shorten an ID. The examples
// in the help have six characters.
const FewestDigits = 4

// An AmbiguousError is returned if the IDs of several incidents begin with the same text.
type AmbiguousError struct {
	Beginning string
	IDs       []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("the IDs of several incidents begin with %s, such as %s: write more characters of the ID", e.Beginning, strings.Join(e.IDs, " and "))
}

// findByPrefix returns the only incident whose ID begins with a text. When a new incident needs the
// ID of an old incident, Tx.numberFor gives the old incident a longer ID: the same ID, a dot and a
// number. findByPrefix ignores incidents with such a longer ID.
func (l *Ledger) findByPrefix(ctx context.Context, text string) (*Incident, error) {
	if len(text) < FewestDigits {
		return nil, ErrUnknown
	}
	all, err := l.incidents(ctx, `substr(id, 1, length(?)) = ? AND NOT EXISTS
(SELECT 1 FROM incidents AS later WHERE incidents.id > later.id || '.' AND incidents.id < later.id || '/')
ORDER BY number DESC LIMIT 2`, text, text)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, ErrUnknown
	case len(all) > 1:
		return nil, &AmbiguousError{text, []string{all[0].ID, all[1].ID}}
	}
	return &all[0], nil
}

// Events returns the events whose numbers are higher than `after`, in the order of their numbers.
// It returns at most the first `limit` of these events.
func (l *Ledger) Events(ctx context.Context, after int64, limit int) ([]Event, error) {
	return l.events(ctx, `seq > ? ORDER BY seq LIMIT ?`, after, limit)
}

func (l *Ledger) events(ctx context.Context, where string, args ...any) ([]Event, error) {
	return queryRows(ctx, l, func(e *Event) []any {
		return []any{&e.Seq, &e.Number, &e.Time, &e.Change, &e.Sentence, l.packer.Into(&e.Document)}
	}, `SELECT seq, incident, time, change, said, document FROM events WHERE `+where, args...)
}

const suspectDocuments = `SELECT document FROM suspects ORDER BY position`

// EventSummary is a short form of an event in the ledger. The field Incident has the state of the
// incident at the time of the event.
type EventSummary struct {
	Seq    int64
	Time   int64
	Change incident.Change
	// Incident has three fields of the incident's document.
	Incident struct {
		ID    string         `json:"id"`
		Phase incident.Phase `json:"phase"`
		Onset document.Onset `json:"onset"`
	}
}

// EventSummaries returns the short forms of events, in the order of their numbers. The parameters
// are event numbers: EventSummaries returns the events with the numbers `after`+1 to `upTo`.
func (l *Ledger) EventSummaries(ctx context.Context, after, upTo int64) ([]EventSummary, error) {
	return queryRows(ctx, l, func(e *EventSummary) []any {
		return []any{&e.Seq, &e.Time, &e.Change, l.packer.Into(&e.Incident)}
	}, `SELECT seq, time, change, document FROM events WHERE seq > ? AND seq <= ? ORDER BY seq`, after, upTo)
}

// document returns the argument of SQL's Scan for a column with a compressed document. Scan
// decompresses the document and stores it in d.
func (l *Ledger) document(d *json.RawMessage) []any { return []any{l.packer.Into(d)} }

// Suspects returns the documents of the present suspects, worst first.
func (l *Ledger) Suspects(ctx context.Context) ([]json.RawMessage, error) {
	return queryRows(ctx, l, l.document, suspectDocuments)
}

// Similar returns two lists: other incidents at the same place, and incidents of the same kind at
// other places. Each list has at most `limit` incidents, the latest first.
func (l *Ledger) Similar(ctx context.Context, id string, limit int) (samePlace, sameKind []Incident, err error) {
	in, err := l.incident(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	tier, place := string(in.Place.Tier), in.Place.Name
	samePlace, err = l.incidents(ctx, `number <> ? AND tier = ? AND place = ? ORDER BY onset DESC, number DESC LIMIT ?`, in.Number, tier, place, limit)
	if err != nil {
		return nil, nil, err
	}
	sameKind, err = l.incidents(ctx, `kind = ? AND NOT (tier = ? AND place = ?) ORDER BY onset DESC, number DESC LIMIT ?`, string(in.Kind), tier, place, limit)
	return samePlace, sameKind, err
}
