// Package api is what a running diagnosis and its HTTP API know of each other: the
// [Site] that answers, and the documents that it answers with.
//
// The stance: what a site says of incidents is the JSON of diagnose, written by
// package report/document. Around it stand what only a running server knows: who
// said what, which sources lag, who changed something. A document has no secrets,
// its times are RFC 3339 in UTC, and what is missing is null or left out.
//
// Package api/handler serves a site by HTTP, api/client asks one.
package api
