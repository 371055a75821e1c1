package state

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Codec writes the memory of stages, reads it, or describes its form. Functions such as [Int] and
// [Text] therefore write or read a value, or describe it. After the first error, the codec does
// nothing more; [Encode] and [Decode] return that error.
type Codec struct {
	out     *bufio.Writer // nil while reading
	in      *bufio.Reader // nil while writing
	err     error
	version uint32
	scratch [binary.MaxVarintLen64]byte
	row     []byte // buffer for a part of a row of numbers

	form *Outline // nil unless the codec describes a form
	axes int      // number of axes that were described
}

// Saving reports whether the codec writes.
func (c *Codec) Saving() bool { return c.out != nil }

// IsAfter reports whether the state that is written or read has a later version than the given one. A
// stage whose memory has changed uses it to read the memory of the version before. A description of a
// form describes the newest version. A form may give its versions the numbers of another form
// (Form.Stages).
func (c *Codec) IsAfter(version uint32) bool { return c.outlines() || c.version > version }

// Failf stops the codec with an error, if it has none yet. It does nothing if the codec describes a
// form.
func (c *Codec) Failf(format string, args ...any) {
	if c.err == nil && !c.outlines() {
		c.err = fmt.Errorf(format, args...)
	}
}

// Failed reports whether the codec has stopped after an error.
func (c *Codec) Failed() bool { return c.err != nil }

// Int writes or reads a whole number.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64](c *Codec, v *T) {
	n := int64(*v)
	c.varint(&n)
	if *v = T(n); int64(*v) != n {
		c.Failf("the saved state is damaged: it has a number that is too large")
	}
}

// Uint writes or reads a whole number without a sign.
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

// Bool writes or reads true or false.
func (c *Codec) Bool(v *bool) {
	n := int64(0)
	if *v {
		n = 1
	}
	c.varint(&n)
	*v = n != 0
}

// Float writes or reads all bits of a number. NaN, a missing value, stays NaN.
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

// maxText is the largest length of a text, so that a wrong length cannot take all memory.
const maxText = 1 << 20

// Text writes or reads a value of any string type.
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
