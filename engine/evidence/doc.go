// Package evidence measures how surely a component is slower than its peers.
//
// A value comes in for each component and step: the logarithm of how many times slower
// than its peers the component was. The evidence against the component goes out. Evidence
// is a natural logarithm: at evidence n a healthy component reaches it by chance once in
// eⁿ steps, however long the data are and however often the result is read.
//
// The method is a CUSUM, a sum that never falls below zero. It adds what exceeds a
// smallest effect, in units of the group's own spread. No distribution is assumed: from
// the excursions of all members of a group the package learns how high the sum of a
// healthy component climbs. Noise that lasts from step to step makes these excursions
// higher. It therefore delays a detection, but causes no false alarm.
//
// There is one sum for each of three smallest effects, the rungs of a ladder. On the
// highest rung a component that is three times slower is certain after a few steps. On
// the lowest rung one that is a fifth slower is certain after hours.
//
// The package is pure and contains nothing about storage. Read monitor.go first, then
// tail.go (how rare a height is) and stretch.go (size and time of a change).
package evidence
