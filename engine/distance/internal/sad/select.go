package sad

import "fmt"

// Select returns the m-th largest of the distances, 1 ≤ m ≤ len(dist), and does not change them.
// The m-th largest distance is the largest number v for which at least m distances are v or more.
// Select finds v bit by bit, from the highest bit. For each bit, it sets the bit in v and counts
// the distances that are at least v. The bit stays set if there are at least m such distances. The
// distances stay in the first-level cache. The time does not depend on the order of the distances.
func Select(dist []uint32, m int) uint32 {
	if m < 1 || m > len(dist) {
		panic(fmt.Sprintf("sad: number %d of %d distances", m, len(dist)))
	}
	return best().nth(dist, m)
}

func (k kernel) nth(dist []uint32, m int) uint32 {
	bit := 15 // with 60 samples and 1000 bins a distance is at most 60,000, which fits into 16 bits
	if k.atLeast(dist, 1<<16) >= m {
		bit = 31
	}
	var nth uint32
	for ; bit >= 0; bit-- {
		if next := nth | 1<<bit; k.atLeast(dist, next) >= m {
			nth = next
		}
	}
	return nth
}
