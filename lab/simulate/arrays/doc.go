// Package arrays simulates shared storage arrays that limp in known ways: a
// system out of its topology file, jobs that come and go, faults by their
// mechanism, and beside the data the truth about them.
//
// What it makes is in form the real thing, activity files that sar and sadf
// read, so that the whole stream is tried and not a short cut to it. Nothing
// is drawn as a curve: requests arrive, LUNs answer by a queueing relation,
// counters add up as a kernel's do, and a fault changes how a part works,
// never what is measured. The same seed gives the same bytes.
//
// A system consists of LUNs that answer requests, attachments that count them, servers
// that are recorded, and cells of LUNs and servers that are connected. Each part has a
// file here (lun.go, attachment.go, server.go, lun_cell.go), which models the part when
// it is healthy and when it is not; the events of a scenario set the conditions.
//
// In: a Scenario. Out: activity files as ingest/activity reads them, or the rows
// themselves, and the truth. Read scenario.go first, then run.go and lun.go.
package arrays
