// Package sad computes sums of absolute differences over rows of bytes. A row is a
// component's cumulative histogram over a window of at most 255 steps, in samples, so
// that the CDF distance of L13 §4.2 is an exact integer until package distance divides
// it.
//
// This is the only work in a window that grows with the square of the size of the group.
// All instruction sets give the same distances; the build tag purego leaves only plain
// Go.
//
// Read sad.go first, then kernel.go and asm/main.go.
package sad
