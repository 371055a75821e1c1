// Package evidence measures how surely a component is slower than its peers.
//
// A value comes in for each component and step: the logarithm of the ratio of the
// component's latency to that of its peers. The evidence against the component goes out.
// Evidence is a natural logarithm: at evidence n a healthy component reaches it by
// chance once in eⁿ steps, however long the data are and however often the result is
// read.
//
// The method is a CUSUM, a sum that never falls below zero. In each step it adds the
// value minus the smallest effect, in units of the group's own spread. No distribution
// is assumed: from the excursions of all members of a group the package learns how high
// the sum of a healthy component climbs. Noise that lasts from step to step makes these
// excursions higher. It therefore delays a detection, but causes no false alarm.
//
// There is one sum for each of three smallest effects, the rungs of a ladder. The
// highest rung gives enough evidence against a component that is three times slower
// after a few steps. The lowest rung gives enough evidence against a component that is a
// fifth slower after hours.
//
// The package is pure and contains nothing about storage. Read monitor.go first, then
// tail.go (how rare a height is) and stretch.go (size and time of a change).
package evidence
