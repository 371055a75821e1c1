// Package blklat stores how long each request to a block device took, as an activity of its own in
// activity files. sar and sadf skip it. limpet uses it for two problems of mean latencies: a mean
// hides tails (T16), and a mean is high if a healthy device has a long queue (F10).
//
// The package is only a format: blkprobe or a simulator fills in a [Sample], and a reader of the
// file gets the same sample back. Requests are counted in histograms of the time in the device,
// from issue to completion, and of the time in the queue, from insertion to issue. Read format.go
// first.
package blklat
