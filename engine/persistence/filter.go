package persistence

import "math/bits"

// Filter decides whether a component was anomalous in at least k of the last 2k−1 windows. It has
// one bit for each of these windows. A bit is 1 if the component was anomalous in the window. The
// lowest bit is the newest window. The zero value has no anomalous window.
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
