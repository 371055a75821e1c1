package sad

import "encoding/binary"

// kernel is an instruction set with which sums and counts are computed. Each kernel also has the
// instructions of the kernels before it in the list of constants.
type kernel uint8

const (
	plain kernel = iota
	avx2
	avx512
)

// plainSum returns Σ|a[i]−b[i]|. It processes eight bytes at a time: first the four bytes at even
// positions, then the four bytes at odd positions. A word of 64 bits has four lanes of 16 bits, one
// for each of these four bytes.
func plainSum(a, b []byte) uint32 {
	var sum uint32
	for len(a) >= 8 {
		n := min(len(a)&^7, laneBytes)
		sum += laneSum(a[:n], b[:n])
		a, b = a[n:], b[n:]
	}
	for i := range a {
		sum += uint32(max(a[i], b[i]) - min(a[i], b[i]))
	}
	return sum
}

const (
	ones = 0x0001_0001_0001_0001 // 1 in every lane
	low  = 0xff * ones           // the lower byte of every lane

	// laneBytes is the largest number of bytes that laneSum can add without overflow:
	// every eight bytes add at most 2·255 to each lane of 16 bits.
	laneBytes = 0xffff / (2 * 255) * 8
)

func laneSum(a, b []byte) uint32 {
	var sum uint64
	for i := 0; i <= len(a)-8 && i <= len(b)-8; i += 8 {
		x, y := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
		sum += laneDistance(x, y) + laneDistance(x>>8, y>>8)
	}
	return uint32(sum&0xffff + sum>>16&0xffff + sum>>32&0xffff + sum>>48)
}

// laneDistance returns |x−y| for the lower byte of every lane. It sets the upper byte of each lane
// of x to 255. In a lane with x < y, the subtraction borrows from this upper byte. laneDistance
// then negates the lower byte of x−y.
func laneDistance(x, y uint64) uint64 {
	d := (x | low<<8) - y&low
	less := ^d >> 8 & ones
	return (d^(less<<8-less))&low + less
}

// plainAtLeast counts the values that are at least `bound`. The code has no branch, because the
// processor would predict half of the branches wrong.
func plainAtLeast(values []uint32, bound uint32) int {
	below := 0
	for _, v := range values {
		below += int((uint64(v) - uint64(bound)) >> 63)
	}
	return len(values) - below
}
