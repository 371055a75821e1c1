// Package window collects facts about steps and windows that several detectors need. The facts are:
// which servers sent data, how much load each component had, which path serves a LUN, and the usual
// latency of a peer group. Each fact is computed once and shared.
//
// The input is rows, and the verdicts of package persistence at the end of each window. The output
// is [Facts], [Totals] and [DataTimes], which the detectors use. Read facts.go first, then
// groups.go (the end of a window) and data_times.go.
package window
