package tool

import (
	"math"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A Fold computes the requests between two samples of a component and operation:
// the difference of counts since the start of the tool, and rates times the seconds
// between the samples. Counts that decrease mean a restart: that sample has no
// requests.
type Fold struct {
	last map[foldKey]*lastSample
}

type foldKey struct {
	component string
	op        blklat.Op
}

type lastSample struct {
	time int64
	bins []Bin           // counts since the tool started
	rest map[int]float64 // by bucket: fractions of requests that rates have left over
}

// NewFold returns a Fold without samples.
func NewFold() *Fold { return &Fold{last: map[foldKey]*lastSample{}} }

// Take returns the requests since the last sample. The result ok is false for the
// first sample, and after a restart of the tool.
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
	grown, ok := growth(before.bins, s.Bins)
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

// growth returns by how much each bin grew. The result ok is false if a bin shrank.
// A bin that is new was empty before.
func growth(was, is []Bin) ([]Bin, bool) {
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

// toBuckets counts the requests of each bin in the bucket of its middle. Fractions of
// requests are kept in rest for the next call, where rest is not nil.
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

// middleNs returns the geometric middle of a bin; half of its end where it begins at
// zero, and its beginning where it has no end.
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
