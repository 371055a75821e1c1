// Package prevalence counts how common limping is on a site that is watched, from the site's
// own history, by the definitions of T16: a drive is slow in an hour in which its mean
// latency is at least twice the median of its group.
//
// The stance: nothing is counted that limpet study does not count. The history is made
// into drive hours and goes through the study's own reduction and survey; this package
// chooses what of that is shown. Incidents do not enter: they are beyond doubt, and
// T16's hours are not.
//
// A [Keeper] counts in the background, one question at a time, and keeps the answers:
// a year of a large system takes a minute, and nobody who looks at a page waits for it.
package prevalence
