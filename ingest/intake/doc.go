// Package intake receives the samples of other programs and writes them into
// activity files, in the recorder's own format. Samples come in by remote write
// (Prometheus, vmagent, Alloy), by scraping endpoints of node_exporter and
// limpet-record, and by polling a site's own store. Activity files go out, one
// for each server and UTC day; ingest/activity reads them like the recorder's.
//
//	push ── remotewrite ──┐
//	pull ── scrape ───────┼── exporter.Assembler: readings ── exporter.Spool: files
//	stores ─ poll.go ─────┘
//
// The engine sees a sample only after it is in a file, so a later diagnosis of
// the files has the same input as the running server.
//
// The samples of a scrape may come in several requests. A request is answered
// with success after every scrape that it completes is written. When the
// process dies, the incomplete scrapes are lost: at most the last step.
//
// Read intake.go first, then poll.go and hold.go.
package intake
