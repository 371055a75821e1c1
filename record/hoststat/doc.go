// Package hoststat keeps what a machine waits for, and what room it has left, as an
// activity of its own in activity files: sar and sadf skip it, limpet reads from it
// whether a server stood still, why, and whether a file system is about to be full.
//
// It is a format and nothing else: record/kernel and record/kernel/inetdiag fill in a
// [Sample], and a reader of the file gets the same sample back. Read sample.go first, then
// format.go.
package hoststat
