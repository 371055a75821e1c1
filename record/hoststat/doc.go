// Package hoststat stores what a machine waits for, and how much space its file systems have left,
// as an activity of its own in activity files. sar and sadf skip it. limpet finds out from it
// whether and why a server stood still, and whether a file system is about to be full.
//
// The package is only a format: record/kernel and record/kernel/inetdiag fill in a [Sample], and a
// reader of the file gets the same sample back. Read sample.go first, then format.go.
package hoststat
