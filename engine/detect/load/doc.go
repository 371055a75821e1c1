// Package load finds components whose requests wait long because more is asked of
// them than of their peers, while the device works on each no longer than theirs do.
//
// Such a component is healthy. What it waits for is measured here and not inferred:
// the latency of every request, and for how much of the time the device was busy.
// Where the time from issue to completion is as its peers', requests wait in the
// kernel's queue. Where it is longer, they may wait for each other in the device, which
// takes several at once and serves them one by one: then it is busy for no longer with
// each than its peers are, and those that find it idle take no longer either. What is
// longer than that by itself is not excused, and another detector's.
package load
