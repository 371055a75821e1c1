// Package fleet draws a fleet of drives in RAID groups that is slow as T16's
// was: an hourly record of every drive (latency, I/O count, I/O size), drive
// events, and the inventory. A drive is stable or slow as in T16 Figure 3, a
// Markov chain; drives differ in how often they leave the stable state; all
// parameters are T16's figures, and a test measures every one of them from the
// records.
//
// Slowdown is drawn as T16 §3.3 defines it, as the factor over the median of
// the group's data drives in the hour: that is what is known about it. What
// causes it is not, and is not simulated. The model, from the inside out:
//
//   - A chain has runs of slow hours, brief or lasting, which come in bouts.
//   - A fault is a chain and the drives that follow it: one, or a few of a
//     group. Most drives are rarely in one, some are in one for good.
//   - A magnitude says how slow, by the quantiles of T16 Table 3.
//   - A group has a load and a latency, which its drives share but for noise.
//     Imbalance of load comes and goes beside all that.
//   - Administrators pull slow drives and put them back.
//
// Reads and writes are one, as in T16's results (§3.3). Parity drives have
// records but no faults: T16 leaves them out. A drive that is not put back
// leaves its group one short to the end. Where T16's figures do not fit
// together, disk.go and ssd.go say what was done.
//
// Every group draws from its own stream of the seed, all groups a day at a
// time and on all cores. So memory holds a few days of records however many
// there are (12 bytes for each drive and hour), and the same options give the
// same bytes on however many cores.
//
// Write makes the files that a study of a fleet reads, and Hours yields the same records
// without files. Read options.go first, then group.go and fault.go.
package fleet
