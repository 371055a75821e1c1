package history

import (
	"math/rand/v2"
	"testing"
)

// TestSampled: of a large group some members are chosen, the component among them, and none twice.
func TestSampled(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5_000 {
		first := rng.IntN(1000)
		last := first + 1 + rng.IntN(4*maxPeers)
		place := first + rng.IntN(last-first)
		runs, own := chooseMembers(first, last, place)
		seen, end := 0, first
		for _, run := range runs {
			if run[0] < end || run[1] > last || run[1] <= run[0] {
				t.Fatalf("%v of %d to %d", runs, first, last)
			}
			if own >= seen && own < seen+run[1]-run[0] && run[0]+own-seen != place {
				t.Fatalf("%v of %d to %d: %d is not at %d", runs, first, last, place, own)
			}
			seen, end = seen+run[1]-run[0], run[1]
		}
		if seen != min(last-first, maxPeers) || own >= seen {
			t.Fatalf("%v of %d to %d: %d are looked at", runs, first, last, seen)
		}
	}
}

// TestBucketLength: there are no more buckets than asked for, and each is a whole number of rows.
func TestBucketLength(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 5_000 {
		unit := []int64{1, 15, 900}[rng.IntN(3)]
		from := rng.Int64N(1_000_000)
		to := from + 1 + rng.Int64N(1_000_000)
		points := 2 + rng.IntN(1000)
		length := bucketLength(from, to, unit, points)
		buckets := map[int64]bool{}
		for at := from + 1; at <= to; at += max(1, length/3) {
			buckets[(at+length-1)/length] = true
		}
		if length%unit != 0 || len(buckets) > points || length > unit && length/2 > (to-from)/int64(points-1)+unit {
			t.Fatalf("%d to %d in %d points: %d of %d s", from, to, points, len(buckets), length)
		}
	}
}
