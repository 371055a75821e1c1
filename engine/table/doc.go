// Package table puts samples on one clock: records of any interval become
// rows, one for each step, with a value for every component and metric.
//
// It folds by differencing cumulative counters at the two ends of a step, so
// that no work between samples is lost (L13 §4.2): the rows are what sadc
// would have written at the step's interval. What was not measured stays
// missing, apart from what was measured as zero.
package table
