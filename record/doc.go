// Package record is the agent on a server: it samples the machine that it runs
// on and writes what it sees into activity files, where the stream begins.
//
// It stands in nobody's way and loses nothing. Samples are taken on absolute
// deadlines, so that servers sample in the same instant and do not drift
// apart; a record is one write, so that a crash costs the one being written;
// what is slow, syncing and compressing, is done beside the sampling; a full
// disk stops the writing and not the recorder. Files follow the rules of the
// paper's daemon (L13 §4.1.1): one a UTC day, named by when it begins,
//
//	fs1-20110509T000005Z.sa        written, or closed and not yet compressed
//	fs1-20110510T000005Z.sa.zst    closed
//	.fs1-20110511T000005Z.sa.part  being made; what is left of one is removed
//	.fs1.lock                      keeps a second recorder of the host away
//
// and what happened to time itself stands in them as comments:
//
//	late 1.3s                      the sample that follows was taken so late
//	late 2.4s at most, 17 samples  so many were that have no comment of their own
//	clock +37.2s                   the wall clock was stepped
//	gap 93.0s: no space left       nothing could be written for so long
//	gap 93.0s at most: file removed  someone took what was written for so long
//	file moved                     by someone; it has what was written until then
//	resumed after 12.0s            the recorder was restarted
//
// Where the kernel is read is not decided here: a Machine is handed in.
package record
