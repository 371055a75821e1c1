package persistence

import "math/bits"

// Filter is the k-of-2k−1 filter of one component: the last verdicts, newest
// in the lowest bit. The zero value has seen none.
type Filter uint32

// Push adds a verdict and says whether at least k of the last 2k−1 were
// anomalous.
func (f *Filter) Push(anomalous bool, k int) bool {
	*f <<= 1
	if anomalous {
		*f |= 1
	}
	*f &= 1<<(2*k-1) - 1
	return bits.OnesCount32(uint32(*f)) >= k
}
