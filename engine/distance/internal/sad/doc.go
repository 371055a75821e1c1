// Package sad measures how far apart the members of a peer group are: sums of
// absolute differences over rows of bytes. A row is a component's cumulative
// histogram over a window of at most 255 steps, counted in samples, so that the
// CDF distance of L13 §4.2 is an exact integer until detect divides it.
//
// It stands inside detect, between the histograms of a window and the verdict
// on it, and does the only work there that grows with the square of the group.
// Every instruction set gives the same distances; the build tag purego leaves
// plain Go alone.
package sad
