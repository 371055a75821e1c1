// Package record records the counters of the machine that it runs on and writes them into activity
// files, which are the input of the other stages of limpet. This package has the rules of
// recording: when a sample is taken, and how files are written, closed, compressed and removed.
//
// In: samples of a [Sampler] (record/agent reads the kernel by record/kernel). Out: activity files
// in the format of sysstat, which record/sysstat reads and writes, with activities of our own for
// connections (record/tcpstat) and latencies of requests (record/blklat); record/sadf prints them.
// The packages below record may read /proc, /sys, netlink and BPF, and use the directory of their
// files. They import only packages of internal, because the recorder has to stay small on a file
// server.
//
// Read first: recorder.go (the loop of a recorder), record/kernel/kernel.go (a sample),
// record/sysstat/reader.go (an activity file).
//
// The recorder uses few resources of the machine and loses no data. It takes samples on absolute
// deadlines, so that servers sample at the same instant and do not drift apart. A record is one
// write, so that a crash costs only the record being written. Syncing and compressing are slow, so
// they run beside the sampling. A full disk stops the writing, but not the recorder. Files follow
// the rules of the paper's daemon (L13 §4.1.1): one file for each UTC day, named by its first time,
//
//	fs1-20110509T000005Z.sa        file that is being written, or is closed and not yet compressed
//	fs1-20110510T000005Z.sa.zst    closed file
//	.fs1-20110511T000005Z.sa.part  unfinished file; the next start removes it
//	.fs1.lock                      lock that prevents a second recorder of the host
//
// and comments in them describe irregular times:
//
//	late 1.3s                      the next sample was taken 1.3 s after its deadline
//	late 2.4s at most, 17 samples  17 samples without a comment of their own were late
//	clock +37.2s                   the wall clock was stepped
//	gap 93.0s: no space left       nothing could be written for 93 s
//	gap 93.0s at most: file removed  another program removed up to 93 s of records
//	file moved                     another program moved the file with the records until then
//	resumed after 12.0s            the recorder was restarted
package record
