// Package commoncause finds causes that partitions have in common: a slow model, firmware, slot or
// switch whose components are spread over partitions that are judged apart.
//
// No partition sees enough of such a cause. So each partition counts the components that it has
// judged, by attribute, and lists the slow components ([Counter]). The counts of all partitions
// add up to the counts of the undivided system ([Merge]). The [Reducer] finds explanations for
// the sum, as an engine does (slow.Tally), and passes the findings to a tracker, which makes
// incidents.
//
// Counts come in, incidents go out. The package writes nothing to disk: the task that runs the
// reducer saves its state (cluster.CommonTask). Read reducer.go first.
package commoncause
