// Package worker is a node that judges: it takes its share of the partitions, and gives
// back what another ought to have.
//
// There is no master. Every worker says that it lives by a lease of its own, sees who
// else does, and computes by the same function (scale/divide: Assign) what is whose. It
// waits for the lease of what is its own, and gives up what is another's, saved. So a
// worker that comes, goes or dies moves its share within the time of a lease, and little
// else moves.
package worker
