// Package names chooses names by the patterns that people write on a command line:
// fs3, fs[1-128], fs[1-4,7], sd*.
//
// It stands beside topology, whose ranges it reads, and knows nothing of what is
// named.
package names
