// Package commoncause finds causes that several partitions share. Such a cause is a model, firmware,
// slot or switch with slow components in several partitions. A separate engine judges each partition.
//
// A single partition may have too few slow components to find such a cause. So each partition lists
// its slow components, and counts the components that it has judged, separately for each attribute
// such as a model ([Counter]). The counts of all partitions are added up ([Merge]). The sums are
// the counts that one engine for the whole system would get. The [Reducer] searches the sums for
// causes, with the method of the engine (slow.Tally). It passes the findings to a tracker, which
// makes incidents.
//
// The package reads counts, makes incidents, and writes nothing to disk. The task that runs the
// reducer saves the state of the reducer (common_task.go of package cluster). Read reducer.go
// first.
package commoncause
