// Package journal stores what a running diagnosis needs to continue after a kill: a
// snapshot of the engine, and a log of the rows and notes since.
//
// Rows, notes and snapshots come in. [Open] gives the last snapshot back, and
// [Recovered.Replay] the rows and notes behind it.
//
// On disk a journal is a directory of generations. A generation is a snapshot and the log
// behind it:
//
//	lock                        locked while a journal is open
//	00000041.snapshot           the generation before, in case the last one is damaged
//	00000041.log
//	00000042.snapshot           the last generation
//	00000042.log                Append and Note write here
//	00000040.snapshot.damaged   kept for a person to look at
//
// A row is logged before the engine gets it. Rows that are replayed into the restored engine
// therefore make the same events again. Records have numbers and checksums: a record is read
// back bit for bit or not at all, and a gap between two records is found.
//
// After a failed write or sync the content of the disk is unknown. The log is then broken:
// nothing is appended to it, so that no log lacks a row in its middle. The diagnosis goes on
// without its journal. The next snapshot that succeeds begins a new log.
//
// Snapshots and notes are bytes of the caller. Read journal.go first, then recover.go and
// file.go.
package journal
