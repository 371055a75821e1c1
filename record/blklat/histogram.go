package blklat

import (
	"cmp"
	"math/bits"
	"slices"
)

// A bucket is a sixteenth of an octave, in nanoseconds. So its width is at most 6.25 % of its lower
// bound:
//
//	0        below 512 ns
//	1 … 448  512 ns to 137 s: 16 to each of 28 octaves
//	449      longer
const (
	Buckets = 2 + octaves*perOctave

	firstOctave = 9 // 2⁹ ns: a microsecond has a bucket of its own
	octaves     = 28
	perOctave   = 1 << subBits
	subBits     = 4
)

// Bucket returns the bucket of a time in nanoseconds.
func Bucket(ns uint64) int {
	octave := bits.Len64(ns) - 1
	switch {
	case octave < firstOctave:
		return 0
	case octave >= firstOctave+octaves:
		return Buckets - 1
	}
	return 1 + (octave-firstOctave)*perOctave + int(ns>>(octave-subBits))&(perOctave-1)
}

// LowerNs returns the shortest time of a bucket in nanoseconds.
func LowerNs(bucket int) uint64 {
	if bucket == 0 {
		return 0
	}
	octave, part := (bucket-1)/perOctave, (bucket-1)%perOctave
	return uint64(perOctave+part) << (octave + firstOctave - subBits)
}

// A Count is the number of requests in a bucket.
type Count struct {
	Bucket   uint16
	Requests uint32
}

// A Histogram holds the buckets that are not empty, in ascending order.
type Histogram []Count

// Requests returns the number of requests in all buckets.
func (h Histogram) Requests() (n uint64) {
	for _, c := range h {
		n += uint64(c.Requests)
	}
	return n
}

// Add adds the requests of another histogram. A count that does not fit into 32 bits becomes the
// largest number of 32 bits.
func (h *Histogram) Add(other Histogram) {
	for _, c := range other {
		i, ok := slices.BinarySearchFunc(*h, c.Bucket, func(one Count, bucket uint16) int { return cmp.Compare(one.Bucket, bucket) })
		if !ok {
			*h = slices.Insert(*h, i, Count{Bucket: c.Bucket})
		}
		sum := uint64((*h)[i].Requests) + uint64(c.Requests)
		(*h)[i].Requests = uint32(min(sum, 1<<32-1))
	}
}

// MeanNs returns the mean time, as if each request took the middle of its bucket; 0: there are no
// requests.
func (h Histogram) MeanNs() float64 {
	var sum, n float64
	for _, c := range h {
		sum += float64(c.Requests) * middleNs(int(c.Bucket))
		n += float64(c.Requests)
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

func middleNs(bucket int) float64 {
	if bucket == Buckets-1 {
		return float64(LowerNs(bucket))
	}
	return (float64(LowerNs(bucket)) + float64(LowerNs(bucket+1))) / 2
}

// QuantileNs returns an upper bound of the quantile q: the upper bound of the bucket that contains
// it. The last bucket has no upper bound, so its lower bound is returned. The result is 0 if there
// are no requests.
func (h Histogram) QuantileNs(q float64) float64 {
	rank := q * float64(h.Requests())
	below := 0.0
	for _, c := range h {
		below += float64(c.Requests)
		if below >= rank {
			return float64(LowerNs(min(int(c.Bucket)+1, Buckets-1)))
		}
	}
	return 0
}
