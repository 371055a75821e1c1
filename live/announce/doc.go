// Package announce stores the results of a running diagnosis: events and operators' commands
// go into the ledger, in one transaction with the alerts that follow from them; measured
// values and scores go into the history.
//
// A single process (watch) passes the events of its own engine. Each node of a cluster
// (cluster.Gather) passes the events of all tasks. Events have numbers: the ledger ignores an
// event that it has, so that after a restart replayed events have no effect.
//
// On disk it owns ledger.sqlite and the directory history in the state directory. Read
// store.go first, then announcer.go.
package announce
