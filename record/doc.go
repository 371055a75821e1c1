// Package record is the room of a machine's own counters: it samples the machine that it
// runs on and writes activity files, with which the stream of limpet begins. This package
// has the rules of recording: when a sample is taken, and how files are written, closed,
// compressed and removed.
//
// In: samples of a Machine (record/agent reads the kernel by record/kernel). Out:
// activity files in the form of sysstat, which record/sysstat reads and writes, with
// activities of our own for connections (record/tcpstat) and latencies of requests
// (record/blklat); record/sadf prints them. The room may touch /proc, /sys, netlink, BPF
// and the directory of its files. It imports internal alone, as the recorder has to stay
// small on a file server.
//
// Read first: recorder.go (the loop of a recorder), record/kernel/kernel.go (a sample),
// record/sysstat/reader.go (an activity file).
//
// The recorder takes little of the machine and loses nothing. It takes samples on
// absolute deadlines, so that servers sample at the same instant and do not drift apart.
// A record is one write, so that a crash costs only the record being written. Syncing and
// compressing are slow, so they run beside the sampling. A full disk stops the writing
// and not the recorder. Files follow the rules of the paper's daemon (L13 §4.1.1): one a
// UTC day, named by its first time,
//
//	fs1-20110509T000005Z.sa        written, or closed and not yet compressed
//	fs1-20110510T000005Z.sa.zst    closed
//	.fs1-20110511T000005Z.sa.part  being made; what is left of one is removed
//	.fs1.lock                      keeps a second recorder of the host away
//
// and comments in them describe irregular times:
//
//	late 1.3s                      the sample that follows was taken so late
//	late 2.4s at most, 17 samples  so many were that have no comment of their own
//	clock +37.2s                   the wall clock was stepped
//	gap 93.0s: no space left       nothing could be written for so long
//	gap 93.0s at most: file removed  someone took what was written for so long
//	file moved                     by someone; it has what was written until then
//	resumed after 12.0s            the recorder was restarted
package record
