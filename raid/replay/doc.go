// Package replay runs a block trace against an array some of whose drives are slow, once
// for each policy of raid/policy, and reports how long its readers waited.
//
// Read run.go first, then virtual.go (simulated drives) and real.go (a real array); delay_*
// has the slow drives, trace_* the formats of traces.
//
// [Virtual] replays on simulated drives, hours in seconds. Every run has the
// same requests, the same slow drives and the same chance: what a member takes
// for a request depends on the two and a seed, never on the policy. So runs
// differ by what the policy did, and a request can be held against the same one
// where no drive is slow. The simulated array cuts reads by the code of the real
// one, and speaks to raid/policy as that does. What it has not is locks,
// buffers, a journal and parity to compute. Its drives serve one read after
// the other: a disk has an arm, which stays where the last read left it, and a
// platter, which stands anywhere; an SSD is programming at times. A slowdown
// multiplies what a drive takes for a read and not the wait in its queue, but
// those behind it wait longer. Parity drives have no reads of their own: an
// extra read finds them idle, and their arms elsewhere.
//
// [Real] replays over a real array: its files or devices, timers and locks. The
// machine that it runs on does other things too. So all policies take turns on
// the same open array, part by part of the trace, and a second run without slow
// drives tells how far two runs differ by themselves. A member draws its
// slowdowns in the order in which it is read: policies meet the same
// distribution, and not quite the same moments.
//
// A trace is replayed at its times, or with so many requests at once as are
// asked for. The former is an open loop: a drive that cannot keep up has a
// queue that grows for as long as nobody looks elsewhere. In the latter slow
// drives slow the reader down, and count the less the slower they are.
package replay
