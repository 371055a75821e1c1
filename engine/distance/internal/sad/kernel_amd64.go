//go:build !purego

package sad

import "golang.org/x/sys/cpu"

// best returns the widest kernel that the processor and the operating system allow.
func best() kernel {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW:
		return avx512
	case cpu.X86.HasAVX2:
		return avx2
	}
	return plain
}

func (k kernel) sum(a, b []byte) uint32 {
	n := len(a) &^ (Pad - 1)
	switch {
	case n == 0 || k == plain:
		return plainSum(a, b)
	case k == avx2:
		return sumAVX2(&a[0], &b[0], n) + plainSum(a[n:], b[n:])
	default:
		return sumAVX512(&a[0], &b[0], n) + plainSum(a[n:], b[n:])
	}
}

// blockRows is the number of rows in a block. The method tiles compares the rows of a block with
// all other rows. A block of 128 rows with 1000 bins each stays in the second-level cache
// meanwhile, together with the cache lines of its distances.
const blockRows = 128

// tiles computes distances in tiles: a tile has the distances of two rows to four rows. The method
// uses only rows that fill whole tiles, and returns the number of these rows. The caller computes
// the other distances.
func (k kernel) tiles(dst []uint32, matrix []byte, stride int) int {
	if k == plain {
		return 0
	}
	n := len(matrix) / stride
	whole := n &^ 3
	for block := 0; block < whole; block += blockRows {
		for j := block; j < whole; j += 4 {
			for i := block; i < min(block+blockRows, j+4); i += 2 {
				k.tile(dst, matrix, stride, i, j)
			}
		}
	}
	return whole
}

// tile sets the distances of rows i and i+1 to rows j … j+3, and the distances of rows j … j+3 to
// rows i and i+1. The distances in the two directions are equal.
func (k kernel) tile(dst []uint32, matrix []byte, stride, i, j int) {
	var sums [2][4]uint32
	a, b := matrix[i*stride:][:2*stride], matrix[j*stride:][:4*stride]
	if k == avx2 {
		tileAVX2(&sums, &a[0], &b[0], stride)
	} else {
		tileAVX512(&sums, &a[0], &b[0], stride)
	}
	n := len(matrix) / stride
	*(*[4]uint32)(dst[i*n+j:]) = sums[0]
	*(*[4]uint32)(dst[(i+1)*n+j:]) = sums[1]
	for c := range 4 {
		*(*[2]uint32)(dst[(j+c)*n+i:]) = [2]uint32{sums[0][c], sums[1][c]}
	}
}

func (k kernel) atLeast(values []uint32, bound uint32) int {
	n := len(values) &^ (Pad/4 - 1)
	switch {
	case n == 0 || k == plain:
		return plainAtLeast(values, bound)
	case k == avx2:
		return int(atLeastAVX2(&values[0], n, bound)) + plainAtLeast(values[n:], bound)
	default:
		return int(atLeastAVX512(&values[0], n, bound)) + plainAtLeast(values[n:], bound)
	}
}
