// Package fleet simulates a fleet of drives in RAID groups that become slow as T16's drives did. It
// draws an hourly record of every drive (latency, I/O count, I/O size), drive events, and the
// inventory. A drive is stable or slow as in T16 Figure 3, a Markov chain; drives differ in how
// often they leave the stable state. All parameters are T16's figures, and a test measures each
// figure from the records.
//
// A slowdown is drawn as T16 §3.3 defines it: the factor over the median of the group's data drives
// in the hour. The causes of slowdowns are not known, and not simulated. The parts of the model,
// from the inside out:
//
//   - A chain has runs of slow hours, brief or lasting, which come in bouts.
//   - A fault is a chain and the drives that follow it: one drive, or a few drives of a group. Most
//     drives rarely have a fault; some have a permanent one.
//   - A magnitude is the strength of a slowdown, by the quantiles of T16 Table 3.
//   - A group has a load and a latency. Its drives share both, except for noise. From time to time
//     a drive has more load than its peers.
//   - Administrators pull slow drives and put them back.
//
// Reads and writes are not distinguished, as in T16's results (§3.3). Parity drives have records
// but no faults: T16 leaves them out. If a drive is not put back, its group has one drive less to
// the end. If figures of T16 contradict each other, disk.go and ssd.go state the choice.
//
// Every group has its own random numbers, from the seed and its name. All groups are drawn a day at
// a time, on all cores. So memory holds a few days of records in a run of any length (12 bytes for
// each drive and hour), and the same options give the same bytes on any number of cores.
//
// Write writes the files that a study of a fleet reads, and Hours returns the same records without
// files. Read options.go first, then group.go and fault.go.
package fleet
