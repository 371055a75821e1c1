// Package window collects the facts about steps and windows that several detectors need:
// which servers sent data, which components had load and how much, which path serves a
// LUN, and the usual latency of a peer group. Each fact is computed once and shared.
//
// Rows come in one by one. The verdicts of package persistence come in at the end of each
// window. [Facts], [Totals] and [Hearing] go out to the detectors. Read facts.go first,
// then groups.go (the end of a window) and hearing.go.
package window
