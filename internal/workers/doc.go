// Package workers divides tasks among the processors: files that are read side by
// side, groups of components that are compared at each step.
//
// Tasks come in by their number, and each is done once. A task that writes only to
// its own place gives the same result with any number of workers.
package workers
