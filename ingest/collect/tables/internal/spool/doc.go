// Package spool sorts the samples of a file by step on disk, where they are
// more than memory should hold.
//
// Samples come in the order of the file. As many as fit are sorted into a run,
// runs are written to a temporary file one after the other, and all are merged
// as they are read back. Samples of one component and time are one: of two
// values of a metric the later line's counts, and the first is counted as
// measured twice. They are folded within a run and again as runs are merged,
// so that a file of equal lines takes no room at all.
//
// It stands below collect/tables, which says what the step of a sample is.
package spool
