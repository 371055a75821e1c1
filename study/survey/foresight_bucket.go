package survey

import (
	"math"
	"slices"
	"strconv"
)

// A bucket is a range of whole numbers: from ≤ n ≤ to.
type bucket struct{ from, to int64 }

// endless is the end of a bucket without an upper limit.
const endless = math.MaxInt64

func (b bucket) has(n int64) bool { return n >= b.from && n <= b.to }

// overlap returns how many of the numbers from 1 to n are in the bucket.
func (b bucket) overlap(n int64) int64 { return max(0, min(n, b.to)-b.from+1) }

func (b bucket) String() string {
	from := strconv.FormatInt(b.from, 10)
	switch b.to {
	case endless:
		return from + " and more"
	case b.from:
		return from
	}
	return from + " to " + strconv.FormatInt(b.to, 10)
}

// which returns the index of the bucket that contains n.
func which(buckets []bucket, n int64) int {
	return slices.IndexFunc(buckets, func(b bucket) bool { return b.has(n) })
}
