// Package quantile has the order statistics of the analysis. There is one median; without values it
// is a missing value (NaN). The package sorts at most 24 values and selects among more,
// because detectors compute a median of every peer group in every step.
package quantile
