package tool

import (
	"math"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A Fold computes how many requests there were between two successive samples of a component and
// operation. For counts since the start of the tool, it subtracts the earlier counts from the later
// counts. For rates, it multiplies the rates by the seconds between the two samples. If a count
// decreases, the tool was restarted, and the number of requests is unknown.
type Fold struct {
	last map[foldKey]*lastSample
}

type foldKey struct {
	component string
	op        blklat.Op
}

type lastSample struct {
	time int64
	bins []Bin           // bins of the last sample
	rest map[int]float64 // for each latency bucket: fraction of a request that was not counted yet
}

// NewFold returns a Fold without samples.
func NewFold() *Fold { return &Fold{last: map[foldKey]*lastSample{}} }

// Take returns a histogram of the requests since the last sample of the same component and
// operation. The result `ok` is false if the number of these requests is unknown. The number is
// unknown for the first sample, and after a restart of the tool. For a sample of the kind
// sinceLastSample, ok is always true.
func (f *Fold) Take(s *Sample) (requests blklat.Histogram, ok bool) {
	key := foldKey{s.Component, s.Op}
	before := f.last[key]
	if s.Kind == sinceLastSample {
		return toBuckets(s.Bins, nil), true
	}
	now := &lastSample{time: s.Time, bins: s.Bins}
	f.last[key] = now
	if before == nil || s.Time <= before.time {
		return nil, false
	}
	if s.Kind == perSecond {
		if now.rest = before.rest; now.rest == nil {
			now.rest = map[int]float64{}
		}
		return toBuckets(scaleBins(s.Bins, float64(s.Time-before.time)), now.rest), true
	}
	grown, ok := increases(before.bins, s.Bins)
	if !ok {
		return nil, false
	}
	return toBuckets(grown, nil), true
}

func scaleBins(bins []Bin, seconds float64) []Bin {
	out := make([]Bin, len(bins))
	for i, b := range bins {
		out[i] = Bin{b.LowNs, b.HighNs, b.Requests * seconds}
	}
	return out
}

// increases returns, for each bin, the difference between the counts of two samples. The bins of the
// earlier sample are `was`, and the bins of the later sample are `is`. The second result is false
// if the count of a bin
// decreased. If a bin is only in the later sample, its earlier count is 0.
func increases(was, is []Bin) ([]Bin, bool) {
	before := make(map[float64]float64, len(was))
	for _, b := range was {
		before[b.HighNs] += b.Requests
	}
	out := make([]Bin, len(is))
	for i, b := range is {
		out[i] = b
		out[i].Requests -= before[b.HighNs]
		delete(before, b.HighNs)
		if out[i].Requests < 0 {
			return nil, false
		}
	}
	for _, lost := range before {
		if lost > 0 {
			return nil, false
		}
	}
	return out, true
}

// toBuckets returns a histogram of the requests in the given bins. It counts the requests of a bin
// in the bucket that contains the middle of the bin. The histogram counts whole requests. If a bin
// was computed from a rate, its number of requests can have a fraction. If `rest` is not nil,
// toBuckets keeps this fraction in `rest` for the next call.
func toBuckets(bins []Bin, rest map[int]float64) (h blklat.Histogram) {
	for _, b := range bins {
		bucket := blklat.Bucket(uint64(b.middleNs()))
		n := b.Requests
		if rest != nil {
			n += rest[bucket]
			rest[bucket] = n - math.Floor(n)
		}
		if n = math.Floor(n); n >= 1 {
			h.Add(blklat.Histogram{{Bucket: uint16(bucket), Requests: uint32(min(n, math.MaxUint32))}})
		}
	}
	return h
}

// middleNs returns the geometric middle of a bin in ns. If the bin begins at zero, the result is
// half of the upper end. If the bin has no upper end, the result is the lower end.
func (b *Bin) middleNs() float64 {
	const longest = 1e18
	switch {
	case math.IsInf(b.HighNs, 1):
		return min(max(b.LowNs, 0), longest)
	case b.LowNs <= 0:
		return min(max(b.HighNs, 0), longest) / 2
	}
	return min(math.Sqrt(b.LowNs)*math.Sqrt(b.HighNs), longest)
}
