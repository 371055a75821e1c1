//go:build !purego

package member

import (
	"math/bits"

	"golang.org/x/sys/cpu"
)

// vector is whether this processor can fold.
var vector = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VPCLMULQDQ && cpu.X86.HasPCLMULQDQ && cpu.X86.HasSSE42

// sumOf reads a chunk from its beginning to its end, which is how processors
// expect memory to be read: of a chunk that a drive has just written it takes
// half as long as hash/crc32, which reads at three places in turn.
func sumOf(chunk []byte) uint32 {
	if !vector {
		return plainSum(chunk)
	}
	return foldAVX512(&(*[ChunkSize]byte)(chunk)[0], &folds)
}

// folds are the distances over which sums are carried: a row of four registers,
// a register, a lane.
var folds = [3]powers{powersOf(256), powersOf(64), powersOf(16)}

// powers carry a sum of 16 bytes so many bytes on: the powers of x by which its
// first and its second half are multiplied.
type powers [2]uint64

// powersOf is as carry-less multiplication wants them: bits are in reverse, and
// the product of two such numbers is one bit too far on.
func powersOf(bytes int) powers {
	return powers{reversedPower(8*bytes + 64 - 1), reversedPower(8*bytes - 1)}
}

// castagnoliPolynomial is CRC-32C's without x^32.
const castagnoliPolynomial = 0x1edc6f41

// reversedPower is x^n modulo the polynomial.
func reversedPower(n int) uint64 {
	power := uint32(1)
	for range n {
		carry := power >> 31
		power = power<<1 ^ carry*castagnoliPolynomial
	}
	return uint64(bits.Reverse32(power)) << 32
}

// foldAVX512 is the sum of a chunk.
//
//go:noescape
func foldAVX512(chunk *byte, by *[3]powers) uint32
