package persistence

import "math/bits"

// Filter is the k-of-2k−1 filter of one component: the last windows, the newest in the
// lowest bit, 1 for an anomaly. The zero value has seen no window.
type Filter uint32

// Push adds a window, and reports whether at least k of the last 2k−1 windows were
// anomalous.
func (f *Filter) Push(anomalous bool, k int) bool {
	*f <<= 1
	if anomalous {
		*f |= 1
	}
	*f &= 1<<(2*k-1) - 1
	return bits.OnesCount32(uint32(*f)) >= k
}
