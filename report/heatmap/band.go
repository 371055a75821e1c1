package heatmap

import "github.com/limpet-storage/limpet/record/blklat"

// Bands is the number of bands of latency. A band is four buckets of blklat: a quarter of an
// octave, 19 % wide. The first band has all shorter times, and the last band all longer times.
const (
	Bands = 2 + (blklat.Buckets-2)/bucketsInBand

	bucketsInBand = 4
)

// Band returns the band of a bucket of blklat.
func Band(bucket int) int { return (bucket + bucketsInBand - 1) / bucketsInBand }

// LowerMs returns the lower bound of a band in ms. LowerMs(Bands) is the lower bound of the last
// band.
func LowerMs(band int) float64 {
	if band == 0 {
		return 0
	}
	const nsInMs = 1e6
	return float64(blklat.LowerNs(min(1+(band-1)*bucketsInBand, blklat.Buckets-1))) / nsInMs
}
