// Package commoncause finds causes that several partitions share: a slow model, firmware, slot or
// switch whose components are in several partitions. Each partition is judged by a separate engine.
//
// A single partition may have too few slow components to find a cause that several partitions
// share. So for each attribute, such as a model, each partition counts the components that it has
// judged. It also lists the slow components ([Counter]). The sum of the counts of all partitions
// equals the counts of the undivided system ([Merge]). The [Reducer] searches the sum for
// explanations, with the method of the engine (slow.Tally). It passes the findings to a tracker,
// which makes incidents.
//
// The input is counts, and the output is incidents. The package writes nothing to disk. The task
// that runs the reducer saves the state of the reducer (common_task.go of package cluster). Read
// reducer.go first.
package commoncause
