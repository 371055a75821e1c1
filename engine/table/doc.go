// Package table puts samples on one clock. Records of any interval come in. Rows go out,
// one for each step, with a value for every component and metric.
//
// A fold takes the differences of cumulative counters between the two ends of a step, so
// that no work between samples is lost (L13 §4.2). The rows are the same that sadc would
// have written at the interval of the step. A value that was not measured is [Missing],
// which differs from a measured zero.
//
// Read row.go first, then fold.go (from counters to steps) and coarsen.go (longer steps).
package table
