package persistence

import (
	"math/bits"

	"github.com/limpet-storage/limpet/engine/table"
)

// presence has 64 bits for each component: one bit for each of the last 64 steps. A bit is 1 if the
// step had a value. The lowest bit is the newest step.
type presence []uint64

func (p presence) push(values []float64) {
	for c, v := range values {
		p[c] <<= 1
		if !table.IsMissing(v) {
			p[c] |= 1
		}
	}
}

// skip adds n steps without data.
func (p presence) skip(n int) {
	for c := range p {
		p[c] <<= n
	}
}

// count returns the number of values among the last n steps.
func (p presence) count(component, n int) int {
	return bits.OnesCount64(p[component] << (64 - n))
}
