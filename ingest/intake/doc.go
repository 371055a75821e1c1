// Package intake receives samples from other programs and writes them into activity files. The
// input is samples from remote write (Prometheus, vmagent, Alloy), from scraped endpoints of
// node_exporter and limpet-record, and from polled stores of the site. The output is one activity
// file for each server and UTC day. The files have the format of the recorder, so ingest/activity
// reads them in the same way as files of the recorder.
//
//	push ── remotewrite ──┐
//	pull ── scrape ───────┼── exporter.Assembler: readings ── exporter.Spool: files
//	stores ─ poll.go ─────┘
//
// The engine gets a sample only after the sample is in a file. So a later diagnosis of the files
// has the same input as the running diagnosis.
//
// The samples of a scrape may come in several requests. limpet answers a request with success after
// it has written every scrape that the request completes. If the process dies, the samples of
// incomplete scrapes are lost, although their requests were answered with success. At most the
// samples of the last step are lost.
//
// Read intake.go first, then poll.go and hold.go.
package intake
