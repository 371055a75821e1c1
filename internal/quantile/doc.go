// Package quantile has the order statistics of the analysis: one median with one
// convention for "none", which is a missing value. It selects and does not sort, as
// detectors take a median of every peer group in every step.
package quantile
