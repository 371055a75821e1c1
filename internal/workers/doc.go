// Package workers shares work out to all cores. Both sources of collect read
// many files side by side with it.
package workers
