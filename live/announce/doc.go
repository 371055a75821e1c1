// Package announce stores the results of a running diagnosis. It writes events and operators'
// commands into the ledger. The alerts that follow from an event are written in the same
// transaction. The package also holds the history, which stores measured values and scores.
//
// Without a cluster, the events come from the engine of package watch. In a cluster, they come from
// the engines of all nodes (cluster.Gather). Each event has a number. If the ledger already has an
// event with this number, it ignores the new event. So events that are replayed after a restart
// have no effect.
//
// On disk the package owns ledger.sqlite, ledger.position and the directory history, in the state
// directory. Read
// store.go first, then announcer.go.
package announce
