// Package replay runs a block trace against an array with some slow drives, once for each policy of
// raid/policy, and reports how long its readers waited.
//
// Read run.go first, then virtual.go (simulated drives) and real.go (a real array); delay_* has the
// slow drives, trace_* the formats of traces.
//
// [Virtual] replays on simulated drives, hours in seconds. Every run has the same requests, the
// same slow drives and the same random draws: the time of a member for a request depends only on
// the member, the request and a seed, never on the policy. So runs differ only by the decisions of
// the policy, and each request can be compared with the same request without slow drives. The
// simulated array cuts reads with the code of the real array, and calls raid/policy in the same
// way. It has no locks, no buffers, no journal, and computes no parity.
//
// A simulated drive serves one read after the other. A disk has an arm, which stays where the last
// read left it, and a platter at a random position. An SSD is programming at times. A slowdown
// multiplies the time that a drive takes for a read, and not the wait in its queue, but the reads
// behind it wait longer. Parity drives have no reads of their own: an extra read finds them idle,
// and their arms elsewhere.
//
// [Real] replays over a real array, with its files or devices, timers and locks. The machine does
// other work too. So all policies take turns on the same open array, part by part of the trace, and
// a second run without slow drives shows how far two runs differ by chance. A member draws its
// slowdowns in the order of its reads: policies meet the same distribution, but not quite at the
// same moments.
//
// A trace is replayed in one of two ways:
//
//   - At its own times. This is an open loop: if a drive is too slow for the trace, its queue grows
//     until the policy reads other members instead.
//   - With a fixed number of requests in flight. This is a closed loop: slow drives slow down the
//     reader, so the slower they are, the fewer requests they get.
package replay
