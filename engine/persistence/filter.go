package persistence

import "math/bits"

// Filter is the k-of-2k−1 filter of one component. It has one bit for each of the last
// windows, which is 1 for an anomaly. The newest window is the lowest bit. The zero
// value has no windows.
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
