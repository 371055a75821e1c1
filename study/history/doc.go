// Package history brings the slow hours of a reduced fleet together with the
// drives and groups that had them, and with the events of those drives: one
// group after the other, as an analysis looks at them.
//
// A run is a number of consecutive hours in which a drive is slow; an hour
// without I/O, or left out for another reason, ends it, as do the records. The
// history of a drive is that in one group.
package history
