// Package journal keeps what a running diagnosis needs to go on after it was
// killed: a snapshot of the engine, and a log of the rows and notes since.
//
// A directory holds generations. A generation is a snapshot, and the log of
// what came after it:
//
//	lock                    held while a journal is open
//	00000041.snapshot       the last generation but one, for when the last is damaged
//	00000041.log
//	00000042.snapshot       the last generation
//	00000042.log            records are appended to this file
//	00000040.snapshot.damaged   kept aside for whoever wants to look at it
//
// A row is logged before it counts, so that rows which are pushed again into the
// restored engine make the same events again. Records are numbered, and each has
// a checksum: a record is read back bit for bit or not at all, and a record that
// is missing between two others is noticed.
//
// A write or a sync that fails breaks the log: of what was to be written nobody
// knows what is on the disk. Nothing is appended to a broken log, so no log ever
// lacks a row in its middle. The diagnosis goes on without its journal, and the
// next snapshot that can be written begins a new log and heals it.
//
// The journal knows nothing of engines: snapshots and notes are bytes to it.
package journal
