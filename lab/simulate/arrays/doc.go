// Package arrays simulates shared storage arrays that limp in known ways: a
// system out of its topology file, jobs that come and go, faults by their
// mechanism, and beside the data the truth about them.
//
// What it makes is in form the real thing, activity files that sar and sadf
// read, so that the whole stream is tried and not a short cut to it. Nothing
// is drawn as a curve: requests arrive, LUNs answer by a queueing relation,
// counters add up as a kernel's do, and a fault changes how a part works,
// never what is measured. The same seed gives the same bytes.
//
// In the stream it stands beside collect: it writes what collect reads, or
// yields the rows themselves.
package arrays
