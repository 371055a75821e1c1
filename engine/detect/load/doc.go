// Package load finds components whose requests wait longer than at the peers only because the
// component gets more requests. The device of such a component is as fast as the devices of the
// peers.
//
// The component is healthy, so the finding is harmless. The detector does not infer the wait from
// the load, but measures the wait: rows have latency histograms of the requests, and the busy time
// of the device. There are two cases. In the first case, the time from issue to completion is about
// as long as at the peers. Then requests wait in the kernel's queue. In the second case, this time
// is longer than at the peers. The device accepts several requests at the same time and serves them
// one by one, so that they wait for each other in the device. Then the busy time per request is
// about as long as at the peers, and requests that find the device idle take no longer than at the
// peers. If the busy time per request is longer, the device is faulty, and package slow reports it.
//
// Detector.follow decides, by fixed ratios to the peers (Options.MoreTimes, WaitTimes,
// LikeTimes). There is no statistical test and no false-alarm rate. Instead, the load
// must last for Options.LastSeconds to be an incident.
//
// Read detector.go first, then findings.go and work.go.
package load
