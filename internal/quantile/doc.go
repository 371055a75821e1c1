// Package quantile has the order statistics that the analysis shares: one median
// with one convention for "none", which is a missing value.
//
// It is arithmetic: it knows neither storage nor time. It selects and does not sort:
// detectors ask for a median of every peer group in every step.
package quantile
