// Package document is the JSON of a diagnosis as Go values: incidents, windows and
// lists with the names and units of their fields. docs/formats.md describes it,
// docs/report.schema.json for programs.
//
// It stands beside the writers of package report, so that whoever serves an
// incident alone writes the same fields.
package document
