// Package distance says how far every member of a peer group lies from its
// peers over a window: by the distance between histograms, cumulative (L13 §4.2)
// or not (F10 §10.1), by distributions without bins, or by one number of each.
//
// It takes values and returns scores. Package detect makes windows of rows, and
// verdicts of scores.
package distance
