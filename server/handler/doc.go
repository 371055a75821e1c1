// Package handler serves a site by HTTP: the API below /api/v1, metrics, health, and
// a page for people.
//
// The stance: a request never waits for the diagnosis and never holds it up; it
// reads what the last row left behind. Every request is bounded in bytes, time and
// number. Whoever may not do something is told so in one sentence; whoever changes
// something stands in the audit trail before it is changed.
//
// routes.go is the table of what there is; package api/openapi describes it for
// programs, and a test holds the two together.
package handler
