package state

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Codec writes the memory of stages, reads it, or describes its form. After the first error it does
// nothing more; [Encode] and [Decode] return that error.
type Codec struct {
	out     *bufio.Writer // nil while reading
	in      *bufio.Reader // nil while writing
	err     error
	scratch [binary.MaxVarintLen64]byte
	row     []byte // bytes of a part of a row of numbers

	form *Outline // nil unless describing
	axes int      // that were described
}

// Saving says whether the codec writes.
func (c *Codec) Saving() bool { return c.out != nil }

// Failf makes the codec stop with an error, if it has none yet. No value is wrong
// while a form is described.
func (c *Codec) Failf(format string, args ...any) {
	if c.err == nil && !c.outlines() {
		c.err = fmt.Errorf(format, args...)
	}
}

// Failed says whether the codec has stopped.
func (c *Codec) Failed() bool { return c.err != nil }

// Int is a whole number.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64](c *Codec, v *T) {
	n := int64(*v)
	c.varint(&n)
	if *v = T(n); int64(*v) != n {
		c.Failf("the saved state is damaged: it has a number that is too large")
	}
}

// Uint is a whole number without a sign.
func Uint[T ~uint8 | ~uint16 | ~uint32 | ~uint64](c *Codec, v *T) {
	n := int64(*v)
	c.varint(&n)
	if *v = T(n); int64(*v) != n {
		c.Failf("the saved state is damaged: it has a number that is too large")
	}
}

func (c *Codec) varint(n *int64) {
	switch {
	case c.err != nil:
	case c.out != nil:
		_, c.err = c.out.Write(c.scratch[:binary.PutVarint(c.scratch[:], *n)])
	case c.outlines():
		c.note("int")
		*n = 1
	default:
		*n, c.err = binary.ReadVarint(c.in)
	}
}

// Bool is a yes or no.
func (c *Codec) Bool(v *bool) {
	n := int64(0)
	if *v {
		n = 1
	}
	c.varint(&n)
	*v = n != 0
}

// Float is a number to its last bit; missing values stay missing.
func (c *Codec) Float(v *float64) {
	bits := c.scratch[:8]
	switch {
	case c.err != nil:
	case c.out != nil:
		binary.LittleEndian.PutUint64(bits, math.Float64bits(*v))
		_, c.err = c.out.Write(bits)
	case c.outlines():
		c.note("float")
		*v = 1
	default:
		if _, c.err = io.ReadFull(c.in, bits); c.err == nil {
			*v = math.Float64frombits(binary.LittleEndian.Uint64(bits))
		}
	}
}

// maxText bounds a text, so that a damaged length cannot take all memory.
const maxText = 1 << 20

// Text is a string of any type.
func Text[T ~string](c *Codec, v *T) {
	if c.outlines() {
		c.note("text")
		*v = "x"
		return
	}
	n := len(*v)
	Int(c, &n)
	switch {
	case c.err != nil:
	case c.out != nil:
		_, c.err = c.out.WriteString(string(*v))
	case n < 0 || n > maxText:
		c.Failf("the saved state is damaged: it has a text of %d bytes, and at most %d bytes are possible", n, maxText)
	default:
		b := make([]byte, n)
		_, c.err = io.ReadFull(c.in, b)
		*v = T(b)
	}
}
