// Package blklat keeps how long each request to a block device took, as an
// activity of its own in activity files: sar and sadf skip it, limpet reads from
// it what a mean hides (T16: tails) and what a mean blames (F10: a long queue on
// a healthy device).
//
// It is a format and nothing else: whoever listens to the kernel, or simulates
// one, fills in a [Sample]; whoever reads a file gets the same back. Requests
// stand in histograms, of the time that the device took, from issue to
// completion, and of the time that they queued before, from insertion to issue.
package blklat
