// Package watch runs a diagnosis that never stops, in one process. It follows activity files, logs
// each row, and pushes the row into the engine. It writes the events of the engine into the ledger,
// together with the alerts that these events cause.
//
//	row ── journal ── engine ── events ── ledger, with alerts, in one transaction
//	                    └────── history
//
// After a kill, a new watch continues as if the kill had not happened. A snapshot restores the
// engine, and the rows in the log are pushed into the engine again. The engine then makes the same
// events again, with the same numbers. The ledger ignores an event if it already has an event with
// this number. So no incident and no notification is lost or written twice, and no incident gets
// another ID.
//
// Findings, incidents and alerts depend on the time of rows, and not on the clock of this machine.
// The clock only decides when a step is late, when the state is saved, and when a new Result is made.
// If the disk is full or fails, the diagnosis goes on. Events wait in memory until they can be
// written. The failure is listed as a trouble (announce.Trouble) until a later write succeeds.
//
// The input is activity files. The output is a [Result], within about a second after each row,
// for the API and the console. The state directory has the directories journal and history, and the
// files ledger.sqlite and ledger.position (package live lists all files). Read watch.go first, then step.go and memory.go.
package watch
