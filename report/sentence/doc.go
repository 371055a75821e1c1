// Package sentence says in plain English what a diagnosis found: incidents,
// suspects, entries of lists, silent and idle servers, and what the data lacked.
//
// It is the only voice of limpet. Detectors, incidents and the engine hold plain
// data; text, JSON, CSV, pages and alerts show the sentences that are made here.
// An operator who was woken at three in the morning understands each of them at
// first reading. What was ruled out is said with the number that rules it out.
//
// The package is pure: the same data give the same sentences. In the stream it
// stands behind diagnose and before report.
package sentence
