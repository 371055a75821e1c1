// Package render renders the findings of a study: sentences for a screen, JSON and CSV with
// every number, and one page with all tables and charts. It also compares two results: two
// periods, or two fleets.
//
// In: [study.Findings], which has every number; all renderings show the same numbers. Out:
// text, JSON, CSV or HTML to a writer. The package computes nothing except the differences of
// two results (diff.go). Read result.go first, then text.go.
package render
