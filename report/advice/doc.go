// Package advice decides what to do about a problem: where the part is, what to check first, how to
// take the part out of use on this kind of storage, and whether to wait.
//
// In come a problem, the topology and all open incidents. Out come steps with commands for an
// operator to read; limpet runs none of them. Package sentence writes the sentences of the steps.
//
// No step is advised that redundancy does not allow. Parts that are already slow or out count as
// lost, and unknown redundancy counts as none. A step that is not allowed has no command.
//
// Read first: advice.go has the steps, guard.go the check of redundancy, prognosis.go the
// probability that a slow drive recovers.
package advice
