package segment

import (
	"encoding/binary"
	"math/bits"
)

// Pages of names and times hold indexes into a dictionary. Such a page begins with one byte: the
// width of an index in bits. Then the indexes follow, in Parquet's hybrid encoding of run lengths
// and packed bits.

// width returns the number of bits of an index into a dictionary with the given number of entries.
func width(entries int) int { return max(1, bits.Len(uint(max(entries, 1)-1))) }

// appendRun appends a run: one index, repeated several times. The parameter `number` is the index,
// `times` is the number of repetitions, and `width` is the size of an index in bits.
func appendRun(b []byte, number, times, width int) []byte {
	b = binary.AppendUvarint(b, uint64(times)<<1)
	for ; width > 0; width -= 8 {
		b = append(b, byte(number))
		number >>= 8
	}
	return b
}

// appendCycles appends the indexes 0 … n−1 as packed bits, again and again. The parameter `times`
// is the number of repetitions, and `width` is the size of an index in bits.
func appendCycles(b []byte, n, times, width int) []byte {
	groups := (n*times + 7) / 8
	b = binary.AppendUvarint(b, uint64(groups)<<1|1)
	word, have := uint64(0), 0
	for i := range groups * 8 {
		if i < n*times {
			word |= uint64(i%n) << have
		}
		for have += width; have >= 8; have -= 8 {
			b = append(b, byte(word))
			word >>= 8
		}
	}
	return b
}
