// Package stall finds components whose requests stall. A request stalls if it takes ten seconds or
// longer.
//
// A stall may be too short to show in a window, and still be so long that every application hangs.
// In one case, requests took 103 s for a period of two minutes (L13 §5.2.1, §7). So Detector.Row
// tests each row. A component stalls if its await, the mean latency of its requests, reaches
// Options.StallMs. No healthy component reaches this bound. So there is no statistical test and no
// false-alarm rate for one component. If several components stall, Findings uses the localisation
// of package slow to find the place that they have in common.
//
// All code is in stall.go.
package stall
