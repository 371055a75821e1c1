package state

import (
	"encoding/binary"
	"io"
	"math"
)

// rowBytes is the number of bytes of a row that are converted at once.
const rowBytes = 8 << 10

// Floats writes or reads a number for each place of an axis. Most of a state are such numbers: rows
// of windows, with a number for every component.
func (c *Codec) Floats(a *Axis, s []float64) {
	if !c.Saving() && !a.same || c.outlines() {
		By(c, a, s, (*Codec).Float)
		return
	}
	for len(s) > 0 && c.err == nil {
		n := min(len(s), rowBytes/8)
		c.block(s[:n])
		s = s[n:]
	}
}

// block writes or reads some numbers at once.
func (c *Codec) block(s []float64) {
	b := c.rowBuffer(8 * len(s))
	if c.out != nil {
		for i, v := range s {
			binary.LittleEndian.PutUint64(b[8*i:], math.Float64bits(v))
		}
		_, c.err = c.out.Write(b)
		return
	}
	if _, c.err = io.ReadFull(c.in, b); c.err != nil {
		return
	}
	for i := range s {
		s[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
}

// rowBuffer returns n bytes for a part of a row.
func (c *Codec) rowBuffer(n int) []byte {
	if c.row == nil {
		c.row = make([]byte, rowBytes)
	}
	return c.row[:n]
}
