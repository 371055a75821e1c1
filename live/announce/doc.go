// Package announce keeps what a running diagnosis says, and decides with package alert who
// is to be told: events and words of operators go into the ledger, in one transaction
// with the alerts that follow from them, and what was measured goes into the history.
//
// A process that stands alone (watch) tells what its own engine says, each node of a
// cluster (scale/gather) what all machines have said. Both go through here. An event has
// a number, and one that the ledger has is not told again: who begins anew may say
// everything again.
package announce
