// This file decodes the chunks in which Prometheus stores samples: times as
// differences of differences, values as differences of bits.
//
//	00 78                       120 samples
//	first time, as a varint; first value, 64 bits
//	difference to the second time, as a varint; value
//	then for each sample:
//	  0                         the same difference to the time before
//	  10 14 bits, 110 17 bits, 1110 20 bits, 1111 64 bits: change of that difference
//	  0                         the value before
//	  10 bits                   bits that differ, at the place of the last ones
//	  11 5 bits 6 bits bits     number of leading zeros, number of bits that differ, these bits

package store

import (
	"encoding/binary"
	"errors"
	"math"
	mathbits "math/bits"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// errBroken reports a chunk that ends before its last sample.
var errBroken = errors.New("a chunk of samples ends too soon or is damaged")

// headBytes is the size of the number of samples.
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

// A decoder is the position in a chunk.
type decoder struct {
	bits
	time, step int64
	value      uint64
	leading    uint // zeros before the bits that differ
	trailing   uint // zeros after them
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
		d.step += d.changeOfStep()
	}
	d.time += d.step
	d.nextValue()
}

// stepBits are the numbers of bits of a change of the difference, by the number
// of ones before it.
var stepBits = [...]uint{0, 14, 17, 20, 64}

// changeOfStep returns the change of the difference between times.
func (d *decoder) changeOfStep() int64 {
	ones := uint(mathbits.LeadingZeros64(^d.word()))
	ones = min(ones, uint(len(stepBits)-1))
	d.skip(min(ones+1, uint(len(stepBits)-1))) // no zero follows four ones
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
