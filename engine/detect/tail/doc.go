// Package tail finds components that have more slow requests than their peers, although
// most of their requests are as fast as the requests of the peers.
//
// A mean hides such requests: if one request in two hundred takes 50 ms, the mean grows
// by a quarter of a millisecond (T16: tails). So this detector compares latency
// histograms, which count single requests. It uses only the time in the device, because
// the time in the queue depends on the load.
//
// In every tick, Detector.compare counts the slow requests of a component. A slow
// request takes longer than nearly all requests of the peers. The share of slow requests
// at the peers gives the expected number of slow requests. The logarithm of the ratio of
// the two numbers is one step of a sequential test (package evidence).
// Options.FalseIncidentsPerYear and Options.FalseSuspectsPerDay are the false-alarm
// rates of this test (evidenceBounds).
//
// Some components are not compared here: components that are slower as a whole, and
// components with more or larger requests than their peers. Package slow compares them.
//
// Read detector.go first, then findings.go and histograms.go.
package tail
