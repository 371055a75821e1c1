// Package boot tells how sure a share of a fleet is, by the bootstrap over
// groups: drives of a group are not independent, so groups are what is drawn
// again. Every group counts 0, 1, 2 or more times in each of some hundred
// replicates of the fleet (a Poisson number of mean 1), and the spread of a
// share over replicates is its uncertainty.
//
// How often a group counts is drawn from the seed and its name alone. So sums
// do not depend on the order of groups, and memory is that of the sums,
// however many groups there are.
package boot
