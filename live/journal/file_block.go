package journal

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/limpet-storage/limpet/engine/table"
)

// The values of a metric are written in blocks of 64 components:
//
//	8 bytes  which values stand there, a bit each, the first component's lowest
//	1 byte   what the others are: 0 zero, 1 missing
//	…        the values that stand there, 8 bytes each
//
// Most components of a large system are idle, as seven of the eight paths to a LUN are,
// or lack the metric. To leave them out takes less time than to write them, and what is
// half as long is summed, copied and synced in half the time.
const (
	blockValues    = 64
	blockHeadBytes = 9
)

// fillers are what values are that do not stand in a block.
var fillers = [2]uint64{0, math.Float64bits(table.Missing)}

// maxValuesBytes bounds what the values of so many components take.
func maxValuesBytes(components int) int {
	return 8*components + blockHeadBytes*((components+blockValues-1)/blockValues)
}

// putValues writes values into room for them, and returns how long they are.
func putValues(b []byte, values []float64) (n int) {
	for len(values) > 0 {
		of := min(len(values), blockValues)
		n += putBlock(b[n:], values[:of])
		values = values[of:]
	}
	return n
}

// putBlock writes a block. Of eight values at a time it finds out which stand there without
// asking anything that a processor would have to guess, then writes those.
func putBlock(b []byte, values []float64) int {
	kind := fillerOf(values)
	stands, at := uint64(0), blockHeadBytes
	for i := 0; i < len(values); i += 8 {
		v := values[i:]
		some := differing(v, fillers[kind&1])
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

// differing has a bit for each of the first eight values that is not the filler.
func differing(v []float64, filler uint64) (some uint64) {
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

// fillerOf chooses what is left out of a block, by a few of its values that stand at other
// places among eight each, as paths to a LUN come.
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

// getValues reads what putValues wrote, and returns what follows; not ok where it is
// something else.
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
