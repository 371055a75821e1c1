// Package upkeep does what an array needs while it is served: it fills members
// that are not yet rebuilt, puts spares in the place of lost ones, and scrubs
// when it is time or when it is told to.
//
// One job runs at a time, at a pace that leaves the drives to readers. A rebuild
// comes before a scrub, which goes on afterwards where it was. Both go on in the
// next process.
package upkeep
