package state

import (
	"encoding/binary"
	"io"
	"math"
)

// Floats32 is rows of short numbers, each row with a number for each place of an
// axis: what a page keeps for its plots.
func (c *Codec) Floats32(a *Axis, s []float32, rows int) {
	if c.Saving() || a.same {
		c.blocks32(s)
		return
	}
	was := make([]float32, len(a.to))
	for r := range rows {
		c.blocks32(was)
		for i, at := range a.to {
			if at >= 0 {
				s[r*a.n+at] = was[i]
			}
		}
	}
}

// blocks32 writes or reads numbers, many at once.
func (c *Codec) blocks32(s []float32) {
	var bytes [rowBytes]byte
	for len(s) > 0 && c.err == nil {
		n := min(len(s), rowBytes/4)
		b := bytes[:4*n]
		if c.out != nil {
			for i, v := range s[:n] {
				binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v))
			}
			_, c.err = c.out.Write(b)
		} else if _, c.err = io.ReadFull(c.in, b); c.err == nil {
			for i := range s[:n] {
				s[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
			}
		}
		s = s[n:]
	}
}
