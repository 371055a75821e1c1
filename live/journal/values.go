package journal

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/limpet-storage/limpet/engine/table"
)

// The values of a metric are written in blocks of 64 components:
//
//	8 bytes  one bit for each component: 1 if its value is stored; the first component is the lowest bit
//	1 byte   the value of all components whose value is not stored: 0 for zero, 1 for missing
//	…        the stored values, 8 bytes each
//
// Most components of a large system are idle or lack the metric: often seven of the eight
// attachments of a LUN are idle. It is faster to leave out the values of these components than to
// write them. A shorter record also takes less time for checksum, copy and sync.
const (
	blockValues    = 64
	blockHeadBytes = 9
)

// fillers holds the two values that a block can leave out: zero and missing. The second field of a
// block is an index into fillers.
var fillers = [2]uint64{0, math.Float64bits(table.Missing)}

// maxValuesBytes returns the largest size of the values of one metric, for the given number of
// components. The size is in bytes.
func maxValuesBytes(components int) int {
	return 8*components + blockHeadBytes*((components+blockValues-1)/blockValues)
}

// putValues writes values into b and returns the number of bytes that it wrote.
func putValues(b []byte, values []float64) (n int) {
	for len(values) > 0 {
		of := min(len(values), blockValues)
		n += putBlock(b[n:], values[:of])
		values = values[of:]
	}
	return n
}

// putBlock writes a block and returns the number of bytes that it wrote. It decides for eight
// values at a time which values are stored. This decision has no branches, so the processor cannot
// mispredict a branch.
func putBlock(b []byte, values []float64) int {
	kind := fillerOf(values)
	stands, at := uint64(0), blockHeadBytes
	for i := 0; i < len(values); i += 8 {
		v := values[i:]
		some := differingBits(v, fillers[kind&1])
		stands |= some << (i & 63)
		for ; some != 0; some &= some - 1 {
			binary.LittleEndian.PutUint64(b[at:], math.Float64bits(v[bits.TrailingZeros64(some)]))
			at += 8
		}
	}
	binary.LittleEndian.PutUint64(b, stands)
	b[8] = kind
	return at
}

// differingBits returns one bit for each of the first eight values. A bit is 1 if the value differs
// from the filler.
func differingBits(v []float64, filler uint64) (some uint64) {
	one := func(v float64) uint64 {
		x := math.Float64bits(v) ^ filler
		return (x | -x) >> 63
	}
	if len(v) >= 8 {
		return one(v[0]) | one(v[1])<<1 | one(v[2])<<2 | one(v[3])<<3 | one(v[4])<<4 | one(v[5])<<5 | one(v[6])<<6 | one(v[7])<<7
	}
	for i := range v {
		some |= one(v[i]) << i
	}
	return some
}

// fillerOf chooses the value that a block leaves out, and returns its index in fillers. It examines
// only every ninth value. A LUN often has eight consecutive attachments, and only one of the eight
// is busy. With a distance of nine, the examined values have different positions among the eight
// attachments.
func fillerOf(values []float64) byte {
	const first, apart = 5, 9
	asked, missing := 0, 0
	for i := first; i < len(values); i += apart {
		if asked++; math.Float64bits(values[i]) == fillers[1] {
			missing++
		}
	}
	if 2*missing > asked {
		return 1
	}
	return 0
}

// getValues reads values that putValues wrote, and returns the rest of b. The result `ok` is false
// if b does not begin with values in this form.
func getValues(b []byte, values []float64) (rest []byte, ok bool) {
	for len(values) > 0 {
		of := min(len(values), blockValues)
		if b, ok = getBlock(b, values[:of]); !ok {
			return nil, false
		}
		values = values[of:]
	}
	return b, true
}

func getBlock(b []byte, values []float64) (rest []byte, ok bool) {
	if len(b) < blockHeadBytes {
		return nil, false
	}
	stands, kind := binary.LittleEndian.Uint64(b), int(b[8])
	b = b[blockHeadBytes:]
	if kind >= len(fillers) || bits.Len64(stands) > len(values) || len(b) < 8*bits.OnesCount64(stands) {
		return nil, false
	}
	filler := math.Float64frombits(fillers[kind])
	for i := range values {
		values[i] = filler
	}
	for ; stands != 0; stands &= stands - 1 {
		values[bits.TrailingZeros64(stands)] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	return b, true
}
