package ledger

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
)

// Event is a change of an incident. The diagnosis gives each event a number (Seq).
type Event struct {
	Seq      int64
	Number   int64 // number of the incident
	Time     int64 // time of the row, or of the command, that caused the event
	Change   incident.Change
	Sentence string          // sentence about the event
	Document json.RawMessage // the incident at the time of the event
}

// Event writes an event and the present state of the event's incident. If the ledger already has
// this event number or a higher one, Event returns false and writes nothing. This happens after a
// crash, when the diagnosis makes the same events again.
func (tx *Tx) Event(seq int64, e *incident.Event, v *sentence.Writer) (isNew bool, err error) {
	if seq <= tx.last {
		return false, nil
	}
	in, err := Describe(v, e.Incident)
	if err != nil {
		return false, err
	}
	if in.Number, err = tx.numberFor(seq, e); err != nil {
		return false, err
	}
	in.Changed = e.Time
	small := tx.l.packer.Pack(in.Document)
	if err := tx.put(&in, small); err != nil {
		return false, err
	}
	if err := tx.exec(`INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)`,
		seq, in.Number, e.Time, string(e.Change), v.Event(e), small); err != nil {
		return false, err
	}
	tx.last = seq
	return true, tx.exec(`UPDATE meta SET value = ? WHERE name = 'last_event'`, seq)
}

// NumberAfter makes the numbers of new events begin after the given number. This is necessary if
// events up to this number are missing, because the ledger is new or was replaced by an older copy.
func (tx *Tx) NumberAfter(seq int64) error {
	if seq <= tx.last {
		return nil
	}
	tx.last = seq
	return tx.exec(`UPDATE meta SET value = ? WHERE name = 'last_event'`, seq)
}

// numberFor returns the number of the incident that an event is about:
//   - If the ledger has no incident with this ID, it returns the number of the event.
//   - If the event is about the incident in the ledger, it returns the number of this incident.
//     This includes an event that opens the incident a second time with the same onset. A diagnosis
//     that has lost its saved state makes such events.
//   - If the incident in the ledger is over, and the event opens a new incident with the same ID,
//     it returns the number of the event. The engine makes such an event if a problem returns long
//     after its end. The old incident gets another ID: its old ID, a dot and its number.
func (tx *Tx) numberFor(seq int64, e *incident.Event) (int64, error) {
	var in Incident
	err := tx.row(`SELECT number, onset, phase, document FROM incidents WHERE id = ?`, e.Incident.ID).
		Scan(&in.Number, &in.Onset, &in.Phase, tx.l.packer.Into(&in.Document))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return seq, nil
	case err != nil || e.Change != incident.Opened || in.Phase != incident.Cleared || in.Onset == e.Incident.Onset.At:
		return in.Number, err
	}
	in.ID = fmt.Sprintf("%s.%d", e.Incident.ID, in.Number)
	if err := in.amend(map[string]any{"id": in.ID}); err != nil {
		return 0, err
	}
	return seq, tx.exec(`UPDATE incidents SET id = ?, document = ? WHERE number = ?`, in.ID, tx.l.packer.Pack(in.Document), in.Number)
}

// Incident writes the present state of an open incident at the time of a row, because the figures
// of an incident change between events. It writes nothing if the incident is not open in the
// ledger. It also writes nothing if the ledger has a state of this row or of a later row.
func (tx *Tx) Incident(rowTime int64, in *incident.Incident, v *sentence.Writer) error {
	entry, err := Describe(v, in)
	if err != nil {
		return err
	}
	err = tx.row(`SELECT number FROM incidents WHERE id = ? AND changed < ? AND phase <> ?`,
		in.ID, rowTime, string(incident.Cleared)).Scan(&entry.Number)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	entry.Changed = rowTime
	return tx.put(&entry, tx.l.packer.Pack(entry.Document))
}

// Adopt writes an open incident that the ledger does not have. This happens if an operator has
// moved the old ledger away and the diagnosis continues. The incident gets a negative number,
// because no event in this ledger opened it. Adopt returns 0 if the ledger already has an incident
// with this ID.
func (tx *Tx) Adopt(rowTime int64, in *incident.Incident, v *sentence.Writer) (number int64, err error) {
	var known bool
	if err := tx.row(`SELECT EXISTS (SELECT 1 FROM incidents WHERE id = ?), min(0, coalesce(min(number), 0)) - 1 FROM incidents`, in.ID).Scan(&known, &number); err != nil || known {
		return 0, err
	}
	entry, err := Describe(v, in)
	if err != nil {
		return 0, err
	}
	entry.Number, entry.Changed = number, rowTime
	return number, tx.put(&entry, tx.l.packer.Pack(entry.Document))
}

// IsOpenWithoutEvents reports whether the incident with the given number is open, and the ledger has
// no event of it.
func (tx *Tx) IsOpenWithoutEvents(number int64) (is bool, err error) {
	err = tx.row(`SELECT EXISTS (SELECT 1 FROM incidents i WHERE number = ? AND phase <> 'cleared' AND NOT EXISTS (SELECT 1 FROM events e WHERE e.incident = i.number))`, number).Scan(&is)
	return is, err
}

// put adds an entry for an incident. If the ledger already has an entry with this number, put replaces
// the entry. The parameter `small` is the compressed document of the incident.
func (tx *Tx) put(in *Incident, small []byte) error {
	if err := tx.exec(`
INSERT INTO incidents (number, id, phase, kind, class, tier, place, harmless, muted, onset, confirmed, cleared, changed, ending, part_of, severity, worst, title, headline, search, document)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (number) DO UPDATE SET phase = excluded.phase, kind = excluded.kind, class = excluded.class, tier = excluded.tier, place = excluded.place,
	harmless = excluded.harmless, muted = excluded.muted, onset = excluded.onset, confirmed = excluded.confirmed, cleared = excluded.cleared,
	changed = excluded.changed, ending = excluded.ending, part_of = excluded.part_of, severity = excluded.severity, worst = excluded.worst,
	title = excluded.title, headline = excluded.headline, search = excluded.search, document = excluded.document`,
		in.Number, in.ID, string(in.Phase), string(in.Kind), string(in.Class), string(in.Place.Tier), in.Place.Name, in.Harmless, in.Muted,
		in.Onset, in.Confirmed, in.Cleared, in.Changed, string(in.Ending), in.Into, in.Severity, in.Worst, in.Title, in.Headline,
		in.search, small); err != nil {
		return err
	}
	return tx.exec(`INSERT OR IGNORE INTO names SELECT value, ? FROM json_each(?)`, in.Number, list(in.names))
}

// EndUnknown ends each incident that is open in the ledger but is missing in the running diagnosis.
// Such incidents exist if the diagnosis was restarted without its saved state. The parameter
// `known` has the IDs of the incidents that the diagnosis has. EndUnknown returns the IDs of the
// incidents that it ended.
func (tx *Tx) EndUnknown(rowTime int64, known []string) (ids []string, err error) {
	open, err := read(tx, func(in *Incident) []any {
		return []any{&in.Number, &in.ID, &in.Cleared, tx.l.packer.Into(&in.Document)}
	},
		`SELECT number, id, max(changed, onset), document FROM incidents WHERE phase <> 'cleared' AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY number`, list(known))
	if err != nil {
		return nil, err
	}
	for i := range open {
		in := &open[i]
		if err := in.amend(map[string]any{"phase": incident.Cleared, "cleared": document.Time(in.Cleared), "ending": Lost}); err != nil {
			return nil, err
		}
		if err := tx.exec(`UPDATE incidents SET phase = 'cleared', cleared = ?, ending = ?, changed = ?, document = ? WHERE number = ?`,
			in.Cleared, string(Lost), rowTime, tx.l.packer.Pack(in.Document), in.Number); err != nil {
			return nil, err
		}
		ids = append(ids, in.ID)
	}
	return ids, nil
}

// amend changes fields in the document of an incident.
func (in *Incident) amend(fields map[string]any) error {
	var doc map[string]any
	if err := json.Unmarshal(in.Document, &doc); err != nil {
		return err
	}
	maps.Copy(doc, fields)
	text, err := json.Marshal(doc)
	in.Document = text
	return err
}

// Lost is the ending of an incident that the diagnosis does not have any more (see EndUnknown).
const Lost incident.Ending = "lost sight of"

// Suspects replaces the list of suspects in the ledger with the list at the time of a row. It
// writes nothing if the list has not changed, or if the ledger already has changes of a later row.
func (tx *Tx) Suspects(rowTime int64, all []engine.Suspect, v *sentence.Writer) error {
	last, err := tx.RowTime()
	if err != nil || rowTime < last {
		return err
	}
	was, err := read(tx, tx.l.document, suspectDocuments)
	if err != nil {
		return err
	}
	now := make([]json.RawMessage, len(all))
	same := len(now) == len(was)
	for i := range all {
		if now[i], err = json.Marshal(document.OfSuspect(v, &all[i])); err != nil {
			return err
		}
		same = same && bytes.Equal(now[i], was[i])
	}
	if same {
		return nil
	}
	if err := tx.NoteRow(rowTime); err != nil {
		return err
	}
	if err := tx.exec(`DELETE FROM suspects`); err != nil {
		return err
	}
	for i := range now {
		if err := tx.exec(`INSERT INTO suspects VALUES (?, ?)`, i, tx.l.packer.Pack(now[i])); err != nil {
			return err
		}
	}
	return nil
}
