// Package api defines the HTTP API of a running diagnosis: its documents, and the interface
// [Site] of the diagnosis that answers. openapi.yaml describes the API for programs.
//
// In come queries, and out come documents. An incident is the JSON of limpet diagnose
// (package document) with a few numbers that only a server has. Other documents hold what
// only a running server has: feedback of operators, the state of sources, and the audit
// trail. A document has no secrets. Its times are RFC 3339 in UTC, and a missing value is
// null or left out. Programs read numbers and names; sentences are for people.
//
// Package handler serves a site by HTTP, and package api/client asks one.
//
// Read first: site.go has the interface, answer.go the documents, result.go the state of
// a diagnosis between two rows.
package api
