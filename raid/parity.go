package raid

import (
	"fmt"

	"github.com/klauspost/reedsolomon"
)

// A coder computes P and Q as Linux md does, and any two chunks from the other chunks. It is safe
// for concurrent use.
type coder struct {
	code reedsolomon.Encoder
	data int
}

// newCoder returns a coder with the generator matrix of md: P is Σ d_i and Q is Σ 2^i·d_i. Callers
// are already concurrent, so one goroutine computes.
func newCoder(data int) (*coder, error) {
	p, q := make([]byte, data), make([]byte, data)
	power := byte(1)
	for i := range data {
		p[i], q[i] = 1, power
		power = double(power)
	}
	code, err := reedsolomon.New(data, parities,
		reedsolomon.WithCustomMatrix([][]byte{p, q}), reedsolomon.WithMaxGoroutines(1))
	if err != nil {
		return nil, fmt.Errorf("the parity of %d members cannot be computed: %w", data, err)
	}
	return &coder{code, data}, nil
}

// double returns 2·b in GF(2^8) modulo x^8+x^4+x^3+x^2+1.
func double(b byte) byte {
	if b&0x80 != 0 {
		return b<<1 ^ 0x1d
	}
	return b << 1
}

// encode computes P and Q, the last two chunks, from the other chunks.
func (c *coder) encode(chunks [][]byte) error { return c.code.Encode(chunks) }

// rebuild computes the wanted chunks from the chunks that are present. A missing chunk has length 0
// and enough capacity. As many chunks must be present as there are data members.
func (c *coder) rebuild(chunks [][]byte, wanted set) error {
	required := make([]bool, len(chunks))
	for i := range required {
		required[i] = wanted.has(i)
	}
	return c.code.ReconstructSome(chunks, required)
}
