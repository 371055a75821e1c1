// Package block is the form of the kernel's counts, which programs add to and
// samples read.
package block
