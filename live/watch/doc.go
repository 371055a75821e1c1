// Package watch is a diagnosis that never stops. It follows activity files, logs each
// row before the row counts, pushes it into the engine, and writes what the engine says
// into the ledger, together with whom that is to be told.
//
// Whenever it is killed, it goes on as if it had not been. A snapshot and the rows
// logged since bring the engine back; it then says again what it had said, under the
// same numbers, and the ledger ignores numbers that it has. So no incident and no
// notification is lost, doubled or renamed.
//
//	row ── journal ── engine ── events ── ledger, with alerts, in one transaction
//	                    └────── history
//
// Everything that decides goes by the time of rows. The clock of this machine says only
// when a step is late, when to save, and what is worth showing. A disk that is full or
// fails costs what could not be written, never the diagnosis: the trouble is said, and
// mended once there is space.
//
// It stands behind diagnose, and before whatever shows or tells.
package watch
