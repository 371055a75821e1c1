// Package gather is a node's view of the whole cluster: what machines say goes into a
// ledger of its own, and how things stand in each partition is put together.
//
// Every node gathers, so that any node answers for all: its API and its console ask this
// package where those of a single process ask package watch. The number of an event is
// its place in the cluster's log, the same on every node; a node that was away reads on
// from the last event that its ledger has.
package gather
