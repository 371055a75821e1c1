// Package intake takes what others measure and makes it activity files, in the
// recorder's own format: what Prometheus, vmagent or Alloy push by remote
// write, and what endpoints of node_exporter and limpet-record offer to be
// pulled, and what a site's own store has of them.
//
// It stands ahead of the stream. Nothing counts before it is on disk: who
// reads the files, today or in a year, sees what the running server saw.
//
//	push ── remote ──┐
//	                 ├── exporter: readings of machines ── spool: activity files
//	pull ── scrape ──┤
//	stores ─ poll ───┘
//
// A scrape of a machine may come in several requests. What is missing of it
// when the process dies is lost with what has come: at most the step in flight.
// Requests are answered with success once every scrape that they complete is
// written.
package intake
