package ledger

import (
	"database/sql"
	"errors"
)

// Follow says that events come from a log from now on, by its identity; "" is the journal
// of a process that stands alone. It returns the number of the last event before the
// first one of that log: an event has that number and its place in the log added up. A
// log that the ledger did not follow before begins behind what the ledger has, whatever
// its own numbers are: taken as they are they would be of events that are known, and
// nothing would be written.
func (tx *Tx) Follow(log string) (before int64, isNew bool, err error) {
	var known string
	err = tx.row(`SELECT l.value, b.value FROM meta l, meta b WHERE l.name = 'log' AND b.name = 'log_before'`).Scan(&known, &before)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return 0, false, err
	case known == log:
		return before, false, nil
	}
	return tx.last, tx.last > 0, tx.exec(`INSERT OR REPLACE INTO meta VALUES ('log', ?), ('log_before', ?)`, log, tx.last)
}
