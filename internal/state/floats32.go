package state

import (
	"encoding/binary"
	"io"
	"math"
)

// Floats32 writes or reads a number for each place of an axis, in half the bytes of [Codec.Floats].
func (c *Codec) Floats32(a *Axis, s []float32) {
	if !c.Saving() && !a.same || c.outlines() {
		By(c, a, s, (*Codec).float32)
		return
	}
	for len(s) > 0 && c.err == nil {
		n := min(len(s), rowBytes/4)
		c.block32(s[:n])
		s = s[n:]
	}
}

func (c *Codec) float32(v *float32) {
	if c.outlines() {
		c.note("float32")
		return
	}
	one := [1]float32{*v}
	if c.err == nil {
		c.block32(one[:])
		*v = one[0]
	}
}

// block32 writes or reads some numbers at once.
func (c *Codec) block32(s []float32) {
	b := c.rowBuffer(4 * len(s))
	if c.out != nil {
		for i, v := range s {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v))
		}
		_, c.err = c.out.Write(b)
		return
	}
	if _, c.err = io.ReadFull(c.in, b); c.err != nil {
		return
	}
	for i := range s {
		s[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}
