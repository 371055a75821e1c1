package agent

import (
	"math"

	"github.com/limpet-storage/limpet/record/blklat"
)

// Native histograms have buckets whose bounds are powers of 2^(1/8) seconds: bucket i reaches from
// 2^((i-1)/8) to 2^(i/8). The buckets of the recorder are in nanoseconds, at most 6.25 % wide, and
// of equal width within an octave. A bucket of the recorder is counted in the native bucket that
// contains its middle, so that a time is wrong by at most 3.2 %. Counts and sums are exact.
const (
	nativeSchema = 3
	perDoubling  = 1 << nativeSchema
)

// The first native bucket that is used, and the native bucket of each bucket of the recorder.
var (
	firstNative = indexOf(1)
	nativeOf    = natives()
)

// nativeBuckets is the number of native buckets that are used: from the middle of the shortest
// bucket of the recorder, 528 ns, to the longest time.
const nativeBuckets = 224

// shortest is the upper bound, in seconds, of the bucket that counts all shorter times together.
var shortest = float64(blklat.LowerNs(1)) / nsInSecond

func natives() (of [blklat.Buckets]int) {
	for b := 1; b < blklat.Buckets; b++ {
		of[b] = indexOf(b) - firstNative
	}
	return of
}

// indexOf returns the native bucket for a bucket of the recorder.
func indexOf(bucket int) int {
	low := float64(blklat.LowerNs(bucket))
	middle := low
	if bucket+1 < blklat.Buckets {
		middle = (low + float64(blklat.LowerNs(bucket+1))) / 2
	}
	return int(math.Ceil(math.Log2(middle/nsInSecond) * perDoubling))
}
