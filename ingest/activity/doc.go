// Package activity makes rows from activity files. These files hold the counters, connections and
// latencies that sysstat or limpet-record has written. They may come from any number of machines
// and days.
//
// The input is paths of files and directories. The output is an [ingest.Source] of rows
// ([table.Row]), one row for each step. All machines share the same steps. A machine is a storage
// server or a client of storage servers. Each machine has its own activity files.
//
// [Open] reads files that are complete. [Follow] reads files that grow. The code for one machine is
// the same in both cases. So when Follow reaches the end of the files, it has returned the same
// rows as Open.
//
// The source files of this package, in the order in which data pass through them:
//
//   - find.go groups activity files by host.
//   - census.go lists devices and interfaces.
//   - plan.go chooses the metrics, the step and the system.
//   - disks.go, nics.go and connections.go read the counters of a record.
//   - machine.go makes steps from the records of a machine.
//   - batch.go collects the rows of all machines.
//
// Read source.go, machine.go and follow.go first.
package activity
