// Package ledger stores the results of a running diagnosis, and what people have decided. It has
// the incidents and their events, operators' commands, and the audit trail (changes that users made
// or tried to make). It also has the state of alerts, the notifications that are not delivered yet
// (the outbox), and the actions on slow parts with the history of each action.
//
// The input is events, commands and states of alerts. They are written through [Tx], in one
// transaction for each step of the diagnosis. After a loss of power, the ledger has either all
// changes of a transaction or no change of it. The output is lists of incidents, events and
// deliveries, for package alert and the API.
//
// On disk the ledger is one SQLite file, ledger.sqlite. The diagnosis numbers its events. After a
// crash the same rows are processed again and make the same events. The ledger ignores an event if
// it already has an event with this number or a higher one. All times are times of rows, except the
// times of commands, of entries in the audit trail, and of acknowledgements.
//
// Queries use separate connections of SQLite, so that queries never delay the diagnosis.
//
// Read schema.go first, then step.go and write.go.
package ledger
