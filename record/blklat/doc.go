// Package blklat keeps how long each request to a block device took, as an
// activity of its own in activity files: sar and sadf skip it, limpet reads from
// it what a mean hides (T16: tails) and what a mean blames (F10: a long queue on
// a healthy device).
//
// It is a format and nothing else: blkprobe or a simulator fills in a [Sample], and a
// reader of the file gets the same sample back. Requests are counted in histograms of the
// time in the device, from issue to completion, and of the time in the queue, from
// insertion to issue. Read format.go first.
package blklat
