// Package draft writes a topology file from the inventory of a site ([site.Inventory]),
// with comments on the inferred parts.
//
// A draft is a start, not the truth: tools have the server of a LUN, and rarely the reason.
// The head of the file lists everything that was inferred, each with the place that it was
// inferred from, for the operator to check. Read draft.go first, then render.go.
package draft
