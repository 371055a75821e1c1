package survey

import (
	"math"
	"slices"
	"strconv"
)

// A bucket is a range of whole numbers, with both ends.
type bucket struct{ from, to int64 }

// endless is the end of a bucket that has none.
const endless = math.MaxInt64

func (b bucket) has(n int64) bool { return n >= b.from && n <= b.to }

// overlap is how many of the numbers from 1 to n are in the bucket.
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

// which is the index of the bucket that has n.
func which(buckets []bucket, n int64) int {
	return slices.IndexFunc(buckets, func(b bucket) bool { return b.has(n) })
}
