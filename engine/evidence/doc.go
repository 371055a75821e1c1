// Package evidence says how sure it is that a component is slower than its
// peers, in units of chance.
//
// A value is the logarithm of how many times slower than its peers a component
// was in a step. A healthy component is not slower for long; but it may be for a
// while, and for how long differs from group to group. So this package trusts no
// distribution. It sums up what exceeds a smallest effect, never below zero (a
// CUSUM), in units of the spread that the group itself has. From the excursions
// of all members it learns how high such a sum climbs where nothing is wrong.
// The evidence against a component is how rarely a healthy peer climbs as high,
// as a rate for one component and step: at n nats one in eⁿ steps is a false
// alarm, however long the data are and however often somebody looks. Noise that
// lasts from step to step makes the excursions of healthy members higher, too,
// and so costs time instead of making false alarms.
//
// Sums run on a ladder of smallest effects: on the high rungs what is far slower
// is beyond doubt within a few steps, on the lowest what is a fifth slower within
// hours.
//
// The package is pure: it knows neither storage nor clocks.
package evidence
