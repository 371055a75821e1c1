package heatmap

import "github.com/limpet-storage/limpet/record/blklat"

// Bands are four of blklat's buckets each: a quarter of an octave, 19 % wide. The
// first is shorter, and the last longer, than all else.
const (
	Bands = 2 + (blklat.Buckets-2)/bucketsInBand

	bucketsInBand = 4
)

// Band is that of a bucket of blklat.
func Band(bucket int) int { return (bucket + bucketsInBand - 1) / bucketsInBand }

// LowerMs is the shortest time of a band in ms; that of the band behind the last is
// the last's own.
func LowerMs(band int) float64 {
	if band == 0 {
		return 0
	}
	const nsInMs = 1e6
	return float64(blklat.LowerNs(min(1+(band-1)*bucketsInBand, blklat.Buckets-1))) / nsInMs
}
