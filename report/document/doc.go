// Package document defines the JSON of a diagnosis as Go types: incidents, windows and
// lists, with the names and units of their fields. docs/formats.md describes the fields for
// people and docs/report.schema.json for programs.
//
// In come values of the engine and the writer of sentences. Out come values that
// encoding/json writes. Package report writes whole documents of them; the ledger, alerts
// and the API write single incidents with the same fields.
//
// Programs read the numbers and names of a document. Its sentences (title, headline,
// because, why, text) are for people.
//
// Read first: incident.go, then value.go for numbers and times that may be missing.
package document
