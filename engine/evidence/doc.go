// Package evidence measures how certain it is that a component is slower than its peers.
//
// The input is a value for each component and step: the logarithm of the ratio of the component's
// latency to the latency of its peers. The output is the evidence against the component. Evidence
// is a natural logarithm: by chance, a healthy component reaches evidence n once in eⁿ steps. This
// rate holds for data of any length, and for any number of times that the evidence is read.
//
// The method is a CUSUM, a sum that never falls below zero. The smallest effect is the smallest
// slowness that the sum detects. In each step the value minus the smallest effect is added to the
// sum, in units of the group's own spread. Differences that are normal in the group are subtracted
// too, large values are cut off, and steps with few requests count less. An excursion is the time in which the sum is above zero.
// The package assumes no distribution of the values. From the excursions of all members of a group it learns how
// high the sum of a healthy component climbs. If the noise of neighbouring steps is correlated,
// these excursions are higher. Such noise therefore delays a detection, but causes no false alarm.
//
// Each component has three sums with three different smallest effects, which are called rungs. If a
// component is three times slower than its peers, the highest rung gives enough evidence after a
// few steps. If a component is a fifth slower, the lowest rung gives enough evidence after hours.
//
// The package reads no clock, opens no file, and contains nothing about storage. Read monitor.go
// first, then tail.go (how rarely a sum climbs to a given height) and stretch.go (size and time of
// a change).
package evidence
