package sad

import "fmt"

// Select returns the m-th largest of the distances, 1 ≤ m ≤ len(dist), and does not
// change them. The result is the largest value that m distances reach. Select finds it
// bit by bit, from the highest bit. Each bit counts over a row that stays in the
// first-level cache. The time does not depend on the order of the distances.
func Select(dist []uint32, m int) uint32 {
	if m < 1 || m > len(dist) {
		panic(fmt.Sprintf("sad: number %d of %d distances", m, len(dist)))
	}
	return best().nth(dist, m)
}

func (k kernel) nth(dist []uint32, m int) uint32 {
	bit := 15 // 60 samples in 1000 bins lie at most 60,000 apart
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
