// Package checksum keeps a checksum of every chunk of a member, apart from the
// chunks: a chunk that rots, and a write that never arrived, both differ from
// what stands here.
//
// The table of a member is as many blocks of 4 KiB as its stripes need. A block
// is eight sectors of 512 bytes, little-endian:
//
//	0    sums of 127 chunks, 4 bytes each
//	508  checksum of the 508 bytes before
//
// A drive writes a sector as a whole, so that a loss of power leaves each as it
// was or as it was to be. All sums are CRC-32C, taken so that zeros have the sum
// 0: an array of zeros has a table of zeros, and both may be holes in a file.
//
// Blocks that were used last are kept in memory. Whoever changes a sum knows
// that nobody reads or writes its chunk meanwhile.
package checksum
