// Package incident gives findings a life: one incident for one problem, from its
// onset until it is over.
//
// Detectors say in each window what they find. The tracker knows which finding
// is of which problem, when there is enough of it to be told, when it recovers,
// when it is over and whether it has come back. It finds nothing itself and says
// nothing in words: an incident is plain data, and every change of it is an
// event.
//
// It stands behind the detectors in the stream. It has no clock and opens no
// files.
package incident
