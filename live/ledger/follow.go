package ledger

import (
	"database/sql"
	"encoding/json"
	"errors"
)

// Followed describes how to compute the number of an event in the ledger from the position of the
// event in the followed log. This log is the output log of a cluster, or the journal of a limpet
// without a cluster. The position is the number that the log gives to the event.
type Followed struct {
	// Before is the number of the last event that was in the ledger before the first event of the
	// log. The number of an event is the sum of Before and the position of the event in the log.
	Before int64
	// Since is the Unix time at which the ledger began to follow the log. It is 0 if the ledger has
	// followed this log from the beginning.
	Since int64
	// IsNew means that the ledger has just begun to follow this log, and already has events of
	// another log.
	IsNew bool
}

// logs lists the logs that a ledger has followed. The field Now is the identity of the present log.
// The field Known maps the identity of each log to the position that the ledger has reached in this
// log.
type logs struct {
	Now   string             `json:"now"`
	Known map[string]pastLog `json:"known"`
}

// pastLog holds the position of a ledger in one log. The field Place is the position of the last
// event that the ledger took from this log. Place is set when the ledger begins to follow another
// log. The fields Before and Since have the same meaning as in Followed.
type pastLog struct {
	Place  int64 `json:"place"`
	Before int64 `json:"before"`
	Since  int64 `json:"since"`
}

// Follow makes the ledger take its events from the log with the given identity. An empty identity
// means the journal of a limpet without a cluster. The events of a new log get numbers above the
// numbers that the ledger already has. Otherwise the ledger would ignore the new events. If the
// ledger has followed this log earlier, the ledger continues after the last event that it took from
// this log.
func (tx *Tx) Follow(log string, now int64) (f Followed, err error) {
	var text string
	all := logs{Known: map[string]pastLog{}}
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
	here := pastLog{Before: tx.last - all.Known[log].Place, Since: now}
	all.Now, all.Known[log] = log, here
	written, err := json.Marshal(all)
	if err != nil {
		return f, err
	}
	return Followed{Before: here.Before, Since: now, IsNew: tx.last > 0}, tx.exec(`INSERT OR REPLACE INTO meta VALUES ('logs', ?)`, string(written))
}
