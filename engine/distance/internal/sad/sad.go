package sad

import "fmt"

//go:generate go -C asm run . -out ../vector_amd64.s -stubs ../vector_amd64.go -pkg sad

// Pad is the unit of padding: rows are padded to a multiple of Pad bytes. Each pass of a vector
// loop reads Pad bytes, which are two registers of AVX-512 or four registers of AVX2. Without
// padding, scalar code would have to process the remaining bytes, and would take longer than the
// vector loop.
const Pad = 128

// Stride returns the length of a row after padding. The parameter `bins` is the length of the row
// before padding, in bytes. The padding bytes must be the same in all rows, for example zero.
func Stride(bins int) int {
	return (bins + Pad - 1) / Pad * Pad
}

// Sum returns Σ|a[i]−b[i]| of two rows. The rows have the same length, which is at most
// 16 MiB.
func Sum(a, b []byte) uint32 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("sad: rows of %d and %d bytes", len(a), len(b)))
	}
	return best().sum(a, b)
}

// Pairs sets dst to the symmetric n×n matrix of the distances between the n rows of `matrix`. Each
// row is `stride` bytes long. The matrix also has the distance of each row to itself, which is
// zero. This zero is the smallest value of a row of dst. It does not change the n−1 largest values,
// so Select can use the whole row.
func Pairs(dst []uint32, matrix []byte, stride int) {
	if stride <= 0 || stride%Pad != 0 || len(matrix)%stride != 0 {
		panic(fmt.Sprintf("sad: a matrix of %d bytes in rows of %d, which must be a multiple of %d", len(matrix), stride, Pad))
	}
	if n := len(matrix) / stride; len(dst) != n*n {
		panic(fmt.Sprintf("sad: room for %d distances between %d rows", len(dst), n))
	}
	best().pairs(dst, matrix, stride)
}

// pairs calls tiles, and then computes the distances of the rows that do not fill a tile, pair by
// pair.
func (k kernel) pairs(dst []uint32, matrix []byte, stride int) {
	n := len(matrix) / stride
	for j := k.tiles(dst, matrix, stride); j < n; j++ {
		b := matrix[j*stride:][:stride]
		for i := range j + 1 {
			d := k.sum(matrix[i*stride:][:stride], b)
			dst[i*n+j], dst[j*n+i] = d, d
		}
	}
}
