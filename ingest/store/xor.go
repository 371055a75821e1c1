package store

import (
	"encoding/binary"
	"errors"
	"math"
	mathbits "math/bits"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// errBroken is the error for a chunk that is damaged, or that ends before its last
// sample.
var errBroken = errors.New("the store sent a chunk of samples that is incomplete or damaged (run the command again; if the error stays, check the log of the store)")

// headBytes is the length of the head of a chunk, in bytes. The head is the number of
// samples.
const headBytes = 2

// appendChunk decodes a chunk and appends its samples to dst. Prometheus stores samples in chunks.
// For each sample, a chunk stores the change of the interval between successive times, and the bits
// that differ from the previous value. The parts of a chunk are:
//
//	00 78                  number of samples: here 120
//	first time as a varint, first value in 64 bits
//	interval between the first two times as a varint, second value
//	then for each sample the change of the interval between times:
//	  0                    no change
//	  10 and 14 bits, 110 and 17 bits, 1110 and 20 bits, 1111 and 64 bits: the change
//	and the bits that differ from the value before:
//	  0                    no bit differs
//	  10 and bits          the bits that differ, at the same position as in the previous value
//	  11, 5 bits, 6 bits, bits
//	                       number of leading zeros, number of bits, the bits that differ
//
// The second value is stored in the same way as the later values.
func appendChunk(dst []exporter.Sample, chunk []byte) ([]exporter.Sample, error) {
	if len(chunk) < headBytes {
		return dst, errBroken
	}
	n := int(binary.BigEndian.Uint16(chunk))
	d := decoder{bits: bits{data: chunk[headBytes:]}}
	for i := range n {
		d.next(i)
		if d.exhausted {
			return dst, errBroken
		}
		dst = append(dst, exporter.Sample{Time: d.time, Value: math.Float64frombits(d.value)})
	}
	return dst, nil
}

// A decoder decodes the samples of a chunk one after the other.
type decoder struct {
	bits
	time, step int64  // time of the last sample, and time between the last two samples, in ms
	value      uint64 // bits of the last value
	leading    uint   // number of high bits that are equal in two successive values
	trailing   uint   // number of low bits that are equal in two successive values
}

// next decodes the i-th sample. The first sample has the index 0.
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

// stepBits is used to decode times. The change of the interval between samples begins with a prefix
// of n bits that are 1. stepBits[n] is the number of bits of the change itself, which follows the
// prefix (see appendChunk).
var stepBits = [...]uint{0, 14, 17, 20, 64}

// changeOfStep reads the change of the interval between successive times, in ms.
func (d *decoder) changeOfStep() int64 {
	ones := uint(mathbits.LeadingZeros64(^d.word()))
	ones = min(ones, uint(len(stepBits)-1))
	d.skip(min(ones+1, uint(len(stepBits)-1))) // a zero follows up to three ones; no zero follows four ones
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
			d.exhausted = true
			return
		}
		d.trailing = 64 - d.leading - n
	}
	d.value ^= d.read(64-d.leading-d.trailing) << d.trailing
}
