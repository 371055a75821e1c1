// Package persistence finds components that differ from their peers again and again. It implements
// the lists of suspects of the papers L13 and F10, with scores, anomalies and accumulators, window
// by window.
//
// The input is rows, in order of time. In each window a component gets a score for each metric: a
// distance such that more than half of its peers are at least this far away (package distance). A
// score above its threshold is an anomaly. A component with anomalies in at least k of the last
// 2k−1 windows is a suspect (F10 §10.1, L13 §4.2). The accumulator of a component rises by one in
// each window in which the component is a suspect, and falls by one in each other window. The list
// of suspects orders components by their accumulators (L13 §4.3). Thresholds come from training
// data of a fault-free period, or from the group itself in each window.
//
// Each metric is compared among the components on which it is measured: await among
// drives, rxbyt among interfaces, cwnd among hosts.
//
// The package does not decide which component is slow. Package detect/slow decides this.
// Package persistence reads no clock, opens no files and writes no log. It keeps only the
// values of the last window.
//
// Read comparison.go first (the result), then detector.go (rows to windows) and fence.go
// (scores to anomalies without training).
package persistence
