package agent

import (
	"math"

	"github.com/limpet-storage/limpet/record/blklat"
)

// Native histograms have buckets whose bounds are powers of 2^(1/8) seconds: bucket
// i reaches from 2^((i-1)/8) to 2^(i/8). The recorder's are of nanoseconds, no wider
// than 6.25 %, and even within an octave. Each of them counts in the native bucket
// that holds its middle, so that a time is off by 3.2 % at most. Counts and sums are
// exact.
const (
	nativeSchema = 3
	perDoubling  = 1 << nativeSchema
)

// The native buckets that are used, and which one each of the recorder's counts in.
var (
	firstNative = indexOf(1)
	nativeOf    = natives()
)

// nativeBuckets is how many are used: from the shortest middle, 528 ns, to the
// longest time.
const nativeBuckets = 224

// shortest is the bound below which times are not told apart, in seconds.
var shortest = float64(blklat.LowerNs(1)) / nsInSecond

func natives() (of [blklat.Buckets]int) {
	for b := 1; b < blklat.Buckets; b++ {
		of[b] = indexOf(b) - firstNative
	}
	return of
}

// indexOf is the native bucket of one of the recorder's.
func indexOf(bucket int) int {
	low := float64(blklat.LowerNs(bucket))
	middle := low
	if bucket+1 < blklat.Buckets {
		middle = (low + float64(blklat.LowerNs(bucket+1))) / 2
	}
	return int(math.Ceil(math.Log2(middle/nsInSecond) * perDoubling))
}
