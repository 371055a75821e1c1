// Package commoncause finds causes that several partitions share: a slow model, firmware, slot or
// switch whose components are in several partitions. Each partition is judged by a separate engine.
//
// No single partition has enough slow components to find a shared cause. So each partition counts
// the components that it has judged, by attribute, and lists the slow components ([Counter]). The
// sum of the counts of all partitions equals the counts of the undivided system ([Merge]). The
// [Reducer] searches the sum for explanations, with the method of the engine (slow.Tally). It
// passes the findings to a tracker, which makes incidents.
//
// Counts come in, incidents go out. The package writes nothing to disk. The task that runs the
// reducer saves the state of the reducer (cluster.CommonTask). Read reducer.go first.
package commoncause
