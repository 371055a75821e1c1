package ledger

import "github.com/limpet-storage/limpet/internal/sqlfile"

// form is the schema of the SQLite file. The application ID of the file is "Lmpt" in ASCII.
var form = sqlfile.Form{Name: "ledger", ApplicationID: 0x4c6d7074, Migrations: []string{`
CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE incidents (
	number    INTEGER PRIMARY KEY, -- of the event that opened it
	id        TEXT NOT NULL,       -- where it comes again, the earlier one has its number behind it
	phase     TEXT NOT NULL,
	kind      TEXT NOT NULL,
	class     TEXT NOT NULL,
	tier      TEXT NOT NULL,
	place     TEXT NOT NULL,
	harmless  INTEGER NOT NULL,
	muted     INTEGER NOT NULL,
	onset     INTEGER NOT NULL,    -- Unix times; 0 where there is none
	confirmed INTEGER NOT NULL,
	cleared   INTEGER NOT NULL,
	changed   INTEGER NOT NULL,    -- when it was last written
	ending    TEXT NOT NULL,
	part_of   TEXT NOT NULL,       -- ID of the incident that it became a part of
	severity  REAL NOT NULL,
	worst     REAL NOT NULL,
	title     TEXT NOT NULL,
	headline  TEXT NOT NULL,
	search    TEXT NOT NULL,       -- lower case
	document  BLOB NOT NULL        -- JSON, zstd
) STRICT;
CREATE UNIQUE INDEX incidents_by_id ON incidents (id);
CREATE INDEX incidents_by_onset ON incidents (onset);
CREATE INDEX incidents_by_end   ON incidents (cleared, onset);
CREATE INDEX incidents_by_place ON incidents (tier, place);
CREATE INDEX incidents_by_kind  ON incidents (kind);

CREATE TABLE names ( -- of components that an incident shows on, and of what they hang on
	name     TEXT NOT NULL,
	incident INTEGER NOT NULL REFERENCES incidents ON DELETE CASCADE,
	PRIMARY KEY (name, incident)
) STRICT, WITHOUT ROWID;
CREATE INDEX names_by_incident ON names (incident);

CREATE TABLE events (
	seq      INTEGER PRIMARY KEY,
	incident INTEGER NOT NULL REFERENCES incidents ON DELETE CASCADE,
	time     INTEGER NOT NULL,
	change   TEXT NOT NULL,
	said     TEXT NOT NULL,
	document BLOB NOT NULL -- the incident as it was then: JSON, zstd
) STRICT;
CREATE INDEX events_by_incident ON events (incident, seq);

CREATE TABLE suspects (
	position INTEGER PRIMARY KEY,
	document BLOB NOT NULL -- JSON, zstd
) STRICT;

CREATE TABLE feedback (
	number   INTEGER PRIMARY KEY AUTOINCREMENT,
	key      TEXT UNIQUE, -- NULL where it is not replayed
	incident INTEGER REFERENCES incidents ON DELETE CASCADE, -- NULL where it is about components alone
	time     INTEGER NOT NULL,
	who      TEXT NOT NULL,
	verb     TEXT NOT NULL,
	target   TEXT NOT NULL,
	text     TEXT NOT NULL,
	cause    TEXT NOT NULL,
	until    INTEGER NOT NULL
) STRICT;
CREATE INDEX feedback_by_incident ON feedback (incident, number);

CREATE TABLE audit (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	time   INTEGER NOT NULL,
	who    TEXT NOT NULL,
	origin TEXT NOT NULL,
	action TEXT NOT NULL,
	target TEXT NOT NULL,
	detail TEXT NOT NULL,
	outcome TEXT NOT NULL
) STRICT;

CREATE TABLE alerts (
	id    TEXT PRIMARY KEY,
	due   INTEGER NOT NULL, -- row time at which it changes by itself; 0 where it does not
	state BLOB NOT NULL
) STRICT;
CREATE INDEX alerts_by_due ON alerts (due) WHERE due > 0;

CREATE TABLE deliveries (
	number       INTEGER PRIMARY KEY AUTOINCREMENT,
	receiver     TEXT NOT NULL,
	key          TEXT NOT NULL,
	alert        TEXT NOT NULL,
	time         INTEGER NOT NULL, -- of the row that decided it
	payload      BLOB NOT NULL,    -- JSON, zstd
	acknowledged INTEGER NOT NULL DEFAULT 0, -- Unix time by the clock of this machine; negative where the receiver refused it
	UNIQUE (receiver, key)
) STRICT;
CREATE INDEX deliveries_to_do ON deliveries (receiver, number) WHERE acknowledged = 0;
`, `
ALTER TABLE feedback ADD COLUMN row INTEGER NOT NULL DEFAULT 0; -- End of the last row before it; 0: unknown
ALTER TABLE feedback ADD COLUMN components BLOB; -- names, JSON, zstd; NULL: unknown
`, `
CREATE TABLE actions (
	id       TEXT PRIMARY KEY,
	incident TEXT NOT NULL,    -- ID; empty: a suspect
	ended    INTEGER NOT NULL, -- Unix time by the clock of this machine; 0: not over
	document BLOB NOT NULL     -- the action as it is now: JSON, zstd
) STRICT;
CREATE INDEX actions_by_incident ON actions (incident);
CREATE INDEX actions_by_end      ON actions (ended);

CREATE TABLE action_records (
	seq      INTEGER PRIMARY KEY,
	action   TEXT NOT NULL,    -- empty: of the switch that stops all actions
	time     INTEGER NOT NULL, -- Unix time by the clock of this machine
	document BLOB NOT NULL     -- JSON, zstd
) STRICT;
CREATE INDEX action_records_by_action ON action_records (action, seq);
`}}
