// Package arrays simulates shared storage arrays with known faults. It builds a system from its
// topology file, runs jobs on it, simulates faults by their mechanism, and writes the truth beside
// the data.
//
// The files have the format of real activity files, which sar and sadf read, so the whole path of
// the data is tested. Measured values are not drawn directly: requests arrive, LUNs answer by a
// queueing relation, counters add up as in a kernel, and a fault changes how a part works. The same
// seed gives the same bytes.
//
// A system consists of LUNs that answer requests, attachments that count them, servers that are
// recorded, and cells of LUNs and servers that are connected. Each part has a file here (lun.go,
// attachment.go, server.go, lun_cell.go), which models the healthy part and the faulty part; the
// events of a scenario set the conditions.
//
// In: a Scenario. Out: activity files as ingest/activity reads them, or the rows themselves, and
// the truth. Read scenario.go first, then run.go and lun.go.
package arrays
