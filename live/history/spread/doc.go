// Package spread sums up what a component and its peers did, in buckets of time:
// the extremes of the component, and quantiles of the others. Values come rounded
// (package segment), so that few of them differ and quantiles are counted. It knows
// nothing of files.
package spread
