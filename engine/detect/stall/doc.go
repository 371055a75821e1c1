// Package stall finds components whose requests stall.
//
// A component may stall for so short a time that no window shows it, and so long that
// every application hangs: 103 s for two minutes (L13 §5.2.1, §7). So Detector.Row tests
// each row: a component stalls if its await reaches Options.StallMs, which no healthy
// component does. There is no statistical test and no false-alarm rate for one
// component. Findings blames the place that several stalled components have in common by
// localisation (package slow).
//
// All of it is in stall.go.
package stall
