// Package draft writes a topology file from what a site's tools said, with
// comments on what was inferred and what to check.
//
// A draft is a start, not the truth: tools know which server has a LUN, and
// rarely why. What was inferred is said at the head of the file, each with the
// place that it was inferred from.
package draft
