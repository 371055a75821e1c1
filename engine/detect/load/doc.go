// Package load finds components whose requests wait long because they get more requests
// than their peers, while the device serves each request as fast as the peers do.
//
// Such a component is healthy: the finding is harmless. The detector measures the wait,
// and does not infer it: rows carry the latency of every request, and the busy time of
// the device. If the time from issue to completion is like that of the peers, requests
// wait in the kernel's queue. If this time is longer, requests may wait for each other
// in a device that accepts several requests and serves them one by one. Then the busy
// time per request is like that of the peers, and requests that find the device idle
// take no longer than at the peers. A device that is busy for longer with each request
// is a fault; package slow reports it.
//
// Detector.compare decides, by fixed ratios to the peers (Options.MoreTimes, WaitTimes,
// LikeTimes). It uses no statistical test and has no false-alarm rate: an incident must
// last for Options.LastSeconds.
//
// Read detector.go first, then findings.go and work.go.
package load
