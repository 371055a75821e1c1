// Package journal stores the data that a running diagnosis needs to continue after a kill: a
// snapshot of the engine, and a log of the rows and notes since the snapshot. A note is a record
// whose content the caller defines, such as an operator's command.
//
// The input is rows, notes and snapshots. After a kill, [Open] returns the last snapshot, and
// [Recovered.Replay] passes on the rows and notes after the snapshot.
//
// On disk a journal is a directory of generations. A generation is a snapshot and the log after it:
//
//	lock                        locked while a journal is open
//	00000041.snapshot           the previous generation, used if the last one is damaged
//	00000041.log
//	00000042.snapshot           the last generation
//	00000042.log                Append and Note write here
//	00000040.snapshot.damaged   a damaged snapshot, which a person may examine
//
// A row is logged before it is passed to the engine. After a restart the rows are replayed into the
// restored engine, which then makes the same events again. Each record has a number and a checksum,
// so that damaged and missing records are detected.
//
// After a failed write or sync the content of the disk is unknown. The log is then broken, and
// nothing more is appended to it. Otherwise a row could be missing in the middle of the log. The
// diagnosis goes on without its journal. The next snapshot that succeeds begins a new log.
//
// The caller defines the content of snapshots and notes. The journal treats this content as plain
// bytes. Read journal.go first, then recover.go and file.go.
package journal
