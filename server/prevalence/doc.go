// Package prevalence counts how common limping is on a watched site, from the history of
// the site, by the definitions of T16: a drive is slow in an hour in which its mean latency
// is at least twice the median of its group.
//
// In come rows of the history. Out comes the document [api.Fleet]. The rows become drive
// hours and pass through the reduction and survey of package study; this package only
// chooses the figures and tables that are shown. Incidents do not enter the count.
//
// A [Keeper] counts in the background, one question at a time, and keeps the answers: a
// year of a large system takes a minute, and no page waits for it.
//
// Read first: count.go counts, keeper.go runs the counts.
package prevalence
