// Package activity makes rows of activity files: the counters, connections and
// latencies that sysstat or limpet-record has written, of any number of
// machines and days.
//
// Paths of files and directories come in. Rows ([table.Row]) on one clock go
// out, one row a step, through [ingest.Source]. A machine is a server of
// storage or one of its clients; each leaves its own files.
//
// [Open] reads files that are whole. [Follow] reads files that grow. Both use
// the same code for one machine, so Follow has returned the same rows as Open
// when it reaches the end of the files.
//
// A machine's records pass through these files: find.go groups files by host,
// census.go lists devices and interfaces, plan.go chooses metrics, the step and
// the system, machine.go folds records onto steps, disks.go, nics.go and
// connections.go read the counters of a record, batch.go collects the rows of
// all machines. Read source.go, machine.go and follow.go first.
package activity
