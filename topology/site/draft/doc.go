// Package draft writes a topology file from the inventory of a site ([site.Inventory]),
// with comments on the inferred parts.
//
// The operator must check a draft: tools print which server serves a LUN, but rarely why. The
// head of the file lists every inference and its source. Read draft.go first, then render.go.
package draft
