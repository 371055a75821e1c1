// Package metric says what limpet measures: the name a metric has in the
// papers and in sysstat, its unit, which direction is worse, below which
// difference it is noise, and how it follows from kernel counters.
//
// It stands at the head of the stream. Everything downstream takes a metric
// as a value of type [Metric] and never asks for it by name again.
package metric
