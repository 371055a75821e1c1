// Package tail finds components with more slow requests than their peers, while most of
// their requests are as fast.
//
// A mean hides such requests: one request in two hundred that takes 50 ms adds a quarter
// of a millisecond to it (T16: tails). So this detector compares latency histograms of
// single requests, and only the time in the device: time in the queue depends on the
// load.
//
// In every tick, Detector.compare counts the requests of a component that are slower
// than nearly all requests of its peers. It divides the number by the number that the
// peers' share would give. The logarithm of that ratio is the step of a sequential test
// (package evidence). Options.FalseIncidentsPerYear and Options.FalseSuspectsPerDay are
// its false-alarm rates (evidenceBounds).
//
// A component that is slower as a whole, or has more or larger requests than its peers,
// is not compared here: package slow finds it.
//
// Read detector.go first, then findings.go and histograms.go.
package tail
