package tool

import (
	"math"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A Fold makes requests of samples: those of a component and an operation since
// its sample before.
type Fold struct {
	last map[source]*memory
}

type source struct {
	component string
	op        blklat.Op
}

type memory struct {
	time int64
	bins []Bin           // as they were, of counts since the tool began
	rest map[int]float64 // parts of requests that rates have left, by bucket
}

// NewFold returns one that has seen nothing.
func NewFold() *Fold { return &Fold{last: map[source]*memory{}} }

// Take returns the requests of a sample. It is not ok where there is nothing to
// compare it with: it is the first, or the tool was started again.
func (f *Fold) Take(s *Sample) (requests blklat.Histogram, ok bool) {
	key := source{s.Component, s.Op}
	before := f.last[key]
	if s.Kind == newHistogram {
		return spread(s.Bins, nil), true
	}
	now := &memory{time: s.Time, bins: s.Bins}
	f.last[key] = now
	if before == nil || s.Time <= before.time {
		return nil, false
	}
	if s.Kind == rate {
		if now.rest = before.rest; now.rest == nil {
			now.rest = map[int]float64{}
		}
		return spread(times(s.Bins, float64(s.Time-before.time)), now.rest), true
	}
	grown, ok := grew(before.bins, s.Bins)
	if !ok {
		return nil, false
	}
	return spread(grown, nil), true
}

func times(bins []Bin, seconds float64) []Bin {
	out := make([]Bin, len(bins))
	for i, b := range bins {
		out[i] = Bin{b.LowNs, b.HighNs, b.Requests * seconds}
	}
	return out
}

// grew is by how much each bin grew. It is not ok where one shrank. A bin that was
// not there before was empty.
func grew(was, is []Bin) ([]Bin, bool) {
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

// spread puts the requests of bins into the buckets of their middles. Where there
// is a rest, parts of requests are kept in it for the next time.
func spread(bins []Bin, rest map[int]float64) (h blklat.Histogram) {
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

// middleNs is the middle of a bin by its logarithm; of one that begins at zero a
// half, of one that has no end its beginning.
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
