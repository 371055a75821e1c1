// Package sad computes sums of absolute differences over rows of bytes. A row is the cumulative
// histogram of one component's values in a window. A window has at most 255 steps, so each count
// fits into one byte. The sum of differences is an exact integer. Package distance divides this sum
// by the size of the window, which gives the CDF distance of L13 §4.2.
//
// These sums are the only work in a window that grows with the square of the size of the
// group. All instruction sets give the same distances. With the build tag purego, only
// plain Go code is used.
//
// Read sad.go first, then kernel.go and asm/main.go.
package sad
