// Package persistence implements the lists of L13 and F10: scores, anomalies and
// accumulators, window by window.
//
// Rows come in, in time order. In each window a component gets a score for each metric:
// the distance that it keeps from more than half of its peers (package distance). A
// score above its threshold is an anomaly. A component with anomalies in at least k of
// the last 2k−1 windows is a suspect (F10 §10.1, L13 §4.2). Its accumulator counts the
// windows as a suspect, and the list orders components by their accumulators (L13 §4.3).
// Thresholds come from a training on a fault-free period, or from the group itself in
// each window.
//
// A metric is compared in the groups of the things it is measured on: await among
// drives, rxbyt among interfaces, cwnd among hosts.
//
// The package does not decide which component is slow: package detect/slow does. It has
// no clock, opens no files and writes no log. It holds the last window and nothing
// older.
//
// Read comparison.go first (the result), then detector.go (rows to windows) and fence.go
// (scores to anomalies without training).
package persistence
