// Package commoncause finds what limps everywhere: a model, a firmware, a slot, a switch whose
// parts are spread over partitions that are judged apart.
//
// No partition sees enough of it. So each counts what it has judged, attribute by
// attribute, and names what is slow (package localise: Tally). Counts of partitions add
// up, and explain what those of the undivided system would. What they explain goes the
// way of every finding: to a tracker, which makes incidents of it.
//
// The reducer is one machine of the cluster, under a lease as the partitions are.
package commoncause
