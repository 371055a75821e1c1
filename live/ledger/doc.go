// Package ledger stores the results of a running diagnosis and the actions of people: incidents,
// their events, operators' commands, the audit of changes, the state of alerts, and the
// notifications that are not delivered yet (the outbox).
//
// Events, commands and alert states come in through [Tx], in one transaction for each step of the
// diagnosis. After a loss of power, a transaction is completely in the ledger, or not at all. Lists
// of incidents, events and deliveries go out, to package alert and to the API.
//
// On disk the ledger is one SQLite file, ledger.sqlite. The diagnosis numbers its events. After a
// crash the same rows are pushed again and make the same events. So the ledger ignores an event
// whose number it already has. All times are times of rows, except the times of people's actions
// and of acknowledgements.
//
// Queries use separate connections, so that they never delay the diagnosis.
//
// Read schema.go first, then step.go and write.go.
package ledger
