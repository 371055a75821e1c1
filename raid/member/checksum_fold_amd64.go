//go:build !purego

package member

import (
	"math/bits"

	"golang.org/x/sys/cpu"
)

// vector reports whether this processor has the instructions of foldAVX512.
var vector = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VPCLMULQDQ && cpu.X86.HasPCLMULQDQ && cpu.X86.HasSSE42

// sumOf returns the checksum of a chunk. It reads the chunk from beginning to end, as processors
// expect. For a chunk that comes directly from a drive, it takes half the time of hash/crc32, which
// reads at three places in turn.
func sumOf(chunk []byte) uint32 {
	if !vector {
		return plainSum(chunk)
	}
	return foldAVX512(&(*[ChunkSize]byte)(chunk)[0], &folds)
}

// folds holds the powers for the distances over which foldAVX512 moves sums: a row of four
// registers, a register, a lane.
var folds = [3]powers{powersOf(256), powersOf(64), powersOf(16)}

// powers moves a sum of 16 bytes forward by a number of bytes. It holds the powers of x by which
// the first and the second half of the sum are multiplied.
type powers [2]uint64

// powersOf returns the powers for a distance. The exponents are smaller by 1, because carry-less
// multiplication of numbers with reversed bits shifts the product by one bit.
func powersOf(bytes int) powers {
	return powers{reversedPower(8*bytes + 64 - 1), reversedPower(8*bytes - 1)}
}

// castagnoliPolynomial is the polynomial of CRC-32C without x^32.
const castagnoliPolynomial = 0x1edc6f41

// reversedPower returns x^n modulo the polynomial, with reversed bits.
func reversedPower(n int) uint64 {
	power := uint32(1)
	for range n {
		carry := power >> 31
		power = power<<1 ^ carry*castagnoliPolynomial
	}
	return uint64(bits.Reverse32(power)) << 32
}

// foldAVX512 returns the checksum of a chunk.
//
//go:noescape
func foldAVX512(chunk *byte, by *[3]powers) uint32
