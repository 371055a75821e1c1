// This file reads the chunks that Prometheus keeps samples in: times as
// differences of differences, values as differences of bits.
//
//	00 78                       120 samples
//	first time, as a varint; first value, 64 bits
//	difference to the second time, as a varint; value
//	then for each sample:
//	  0                         as far from the one before as that from its own
//	  10 14 bits, 110 17 bits, 1110 20 bits, 1111 64 bits: that much farther
//	  0                         the value of the one before
//	  10 bits                   bits that differ, at the place of the last ones
//	  11 5 bits 6 bits bits     how many zeros lead, how many bits differ, and they
//
// It knows nothing of where chunks come from.

package store

import (
	"encoding/binary"
	"errors"
	"math"
	mathbits "math/bits"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// errBroken is a chunk that ends ahead of its samples.
var errBroken = errors.New("a chunk of samples ends too soon or is damaged")

// headBytes hold the number of samples.
const headBytes = 2

// appendChunk appends the samples of a chunk.
func appendChunk(dst []exporter.Sample, chunk []byte) ([]exporter.Sample, error) {
	if len(chunk) < headBytes {
		return dst, errBroken
	}
	n := int(binary.BigEndian.Uint16(chunk))
	d := decoder{bits: bits{data: chunk[headBytes:]}}
	for i := range n {
		d.next(i)
		if d.over {
			return dst, errBroken
		}
		dst = append(dst, exporter.Sample{Time: d.time, Value: math.Float64frombits(d.value)})
	}
	return dst, nil
}

// A decoder is where a chunk has been read to.
type decoder struct {
	bits
	time, step int64
	value      uint64
	leading    uint // zeros ahead of the bits that differ
	trailing   uint // and behind them
}

func (d *decoder) next(i int) {
	switch i {
	case 0:
		d.time = d.varint()
		d.value = d.read(64)
		return
	case 1:
		d.step = int64(d.uvarint())
	default:
		d.step += d.farther()
	}
	d.time += d.step
	d.nextValue()
}

// stepBits are how many bits tell a change of steps, by how many ones announce
// them.
var stepBits = [...]uint{0, 14, 17, 20, 64}

// farther is by how much a step is longer than the one before.
func (d *decoder) farther() int64 {
	ones := uint(mathbits.LeadingZeros64(^d.word()))
	ones = min(ones, uint(len(stepBits)-1))
	d.skip(min(ones+1, uint(len(stepBits)-1))) // four ones have no zero behind them
	n := stepBits[ones]
	v := d.read(n)
	if n > 0 && n < 64 && v > 1<<(n-1) {
		return int64(v) - 1<<n
	}
	return int64(v)
}

func (d *decoder) nextValue() {
	if d.read(1) == 0 {
		return
	}
	if d.read(1) == 1 {
		d.leading = uint(d.read(5))
		n := uint(d.read(6))
		if n == 0 {
			n = 64
		}
		if d.leading+n > 64 {
			d.over = true
			return
		}
		d.trailing = 64 - d.leading - n
	}
	d.value ^= d.read(64-d.leading-d.trailing) << d.trailing
}
