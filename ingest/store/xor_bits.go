package store

import "encoding/binary"

// bits reads the bits of bits.data one after the other. Within a byte it begins at the highest bit.
// After the end of the data it returns zeros, and sets bits.exhausted.
type bits struct {
	data      []byte
	position  uint // position of the next bit, in bits from the beginning of the data
	exhausted bool // true if more bits were read than the data has
}

// word returns the next bits, and does not move the position. The next bit is the highest bit of
// the result. At least 57 bits are valid.
func (b *bits) word() uint64 {
	i := b.position >> 3
	var w uint64
	if i+8 <= uint(len(b.data)) {
		w = binary.BigEndian.Uint64(b.data[i:])
	} else {
		var last [8]byte
		if i < uint(len(b.data)) {
			copy(last[:], b.data[i:])
		}
		w = binary.BigEndian.Uint64(last[:])
	}
	return w << (b.position & 7)
}

// halfWord is the largest number of bits that bits.read takes from one result of bits.word.
const halfWord = 32

// read reads n bits. At most 64 bits can be read in one call.
func (b *bits) read(n uint) uint64 {
	if n == 0 {
		return 0
	}
	if n > halfWord {
		high := b.read(n - halfWord)
		return high<<halfWord | b.read(halfWord)
	}
	w := b.word() >> (64 - n)
	b.skip(n)
	return w
}

func (b *bits) skip(n uint) {
	b.position += n
	b.exhausted = b.exhausted || b.position > uint(len(b.data))*8
}

// uvarint reads an unsigned integer in the varint format of encoding/binary.
func (b *bits) uvarint() (v uint64) {
	for shift := uint(0); shift < 64; shift += 7 {
		c := b.read(8)
		v |= (c & 0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	b.exhausted = true
	return v
}

func (b *bits) varint() int64 {
	u := b.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}
