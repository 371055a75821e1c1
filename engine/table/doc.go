// Package table converts samples to a common time grid. The input is records, with any interval
// between them. The output is one row for each step, with a value for every component and metric.
//
// A [Fold] subtracts the counters at the start of a step from the counters at its end, so that no
// work between samples is lost (L13 §4.2). The work in each step is the same as if sadc, the
// recorder of sysstat, had recorded once per step. A value that was not measured is [Missing],
// which is different from a measured zero.
//
// Read row.go first, then fold.go (from counters to steps) and coarsen.go (longer steps).
package table
