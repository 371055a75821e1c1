// Package handler serves a site by HTTP: the API below /api/v1, metrics and health.
//
// In come requests. Out come documents of package api. A request never waits for the
// diagnosis and never delays it: it reads the state after the last row. Every request is
// bounded in bytes, time and number. A caller without permission gets one sentence. A
// change is written to the audit trail before it is made.
//
// The files that begin with server, stream and router have no idea of storage: a
// bounded HTTP server, server-sent events, and a table of routes.
//
// Read first: routes.go is the table of all routes, view.go the state that requests share,
// incidents.go the answers about incidents. A test compares the routes with
// server/api/openapi.yaml.
package handler
