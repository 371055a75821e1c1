// Package tail finds components that have more slow requests than their peers, although
// most of their requests are as fast as those of the peers.
//
// A mean hides such requests: if one request in two hundred takes 50 ms, the mean grows
// by a quarter of a millisecond (T16: tails). So this detector compares latency
// histograms of single requests, and only the time in the device: time in the queue
// depends on the load.
//
// In every tick, Detector.compare counts the requests of a component that are slower
// than nearly all requests of its peers. It divides this number by the expected number,
// which the share of such requests at the peers gives. The logarithm of that ratio is
// the step of a sequential test (package evidence). Options.FalseIncidentsPerYear and
// Options.FalseSuspectsPerDay are its false-alarm rates (evidenceBounds).
//
// A component that is slower as a whole, or has more or larger requests than its peers,
// is not compared here: package slow finds it.
//
// Read detector.go first, then findings.go and histograms.go.
package tail
