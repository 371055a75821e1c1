// Package render renders the findings of a study: sentences for a screen, JSON and CSV
// with every number, one page with all tables and plots. It also compares two results, as
// periods or fleets.
//
// In: [study.Findings], which hold every number; all renderings show the same. Out: text,
// JSON, CSV or HTML to a writer. The package computes nothing but the difference of two
// findings (diff.go). Read result.go first, then text.go.
package render
