// Package ledger stores what a running diagnosis has found and what people have answered:
// incidents, their events, operators' commands, the audit of changes, the state of alerts,
// and the notifications that are still to be delivered (the outbox).
//
// Events, commands and alert states come in through [Tx], in one transaction for each step
// of the diagnosis: the transaction survives a loss of power, or nothing of it is there.
// Lists of incidents, events and deliveries go out, to package alert and to the API.
//
// On disk it is one SQLite file, ledger.sqlite. The diagnosis numbers its events. The ledger
// ignores an event whose number it has, because after a crash the same rows are pushed again
// and make the same events. All times are times of rows, except the times at which people act.
//
// Queries use connections of their own, so that they never delay the diagnosis.
//
// Read schema.go first, then step.go and write.go.
package ledger
