package ledger

import (
	"database/sql"
	"encoding/json"
	"errors"
)

// Followed is how a ledger follows a log.
type Followed struct {
	// Before is the number of the last event before the first one of the log: an event has
	// that number and its place in the log added up.
	Before int64
	// Since is when the ledger began to follow the log; 0 where it always did.
	Since int64
	// IsNew says that another log was followed until now, and had events.
	IsNew bool
}

// logs are those that a ledger has followed, by identity.
type logs struct {
	Now   string             `json:"now"`
	Known map[string]onePast `json:"known"`
}

// onePast is one of them: the place in it that was read last, for as long as another is
// followed; and while it is followed, what Followed has.
type onePast struct {
	Place  int64 `json:"place"`
	Before int64 `json:"before"`
	Since  int64 `json:"since"`
}

// Follow says that events come from a log from now on, by its identity; "" is the journal
// of a process that stands alone. A log begins behind what the ledger has, whatever its own
// numbers are: taken as they are they would be of events that are known, and nothing would
// be written. One that was followed before goes on where it was left.
func (tx *Tx) Follow(log string, now int64) (f Followed, err error) {
	var text string
	all := logs{Known: map[string]onePast{}}
	err = tx.row(`SELECT value FROM meta WHERE name = 'logs'`).Scan(&text)
	if err == nil {
		err = json.Unmarshal([]byte(text), &all)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return f, err
	}
	if all.Now == log {
		here := all.Known[log]
		return Followed{Before: here.Before, Since: here.Since}, nil
	}
	was := all.Known[all.Now]
	was.Place = tx.last - was.Before
	all.Known[all.Now] = was
	here := onePast{Before: tx.last - all.Known[log].Place, Since: now}
	all.Now, all.Known[log] = log, here
	written, err := json.Marshal(all)
	if err != nil {
		return f, err
	}
	return Followed{Before: here.Before, Since: now, IsNew: tx.last > 0}, tx.exec(`INSERT OR REPLACE INTO meta VALUES ('logs', ?)`, string(written))
}
