// Package workers divides tasks among the processors: files that are read at the same time,
// groups of components that are compared at each step.
//
// Tasks have numbers, and each task is done once. If each task writes only to its own place, the
// result is the same with any number of workers.
package workers
