// The type bucketing divides time into buckets. For each bucket it computes the least, mean and
// largest value of a component, and the quantiles of its peers' values. Values are rounded (package
// segment), so there are few different values. bucketing counts how often each value occurs, and
// computes quantiles from the counts.

package history

import (
	"math"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/history/segment"
)

// Bucket holds the values of a component and its peers in one interval of time.
type Bucket struct {
	End   int64 // end of the bucket, as Unix time
	Own   Summary
	Peers Spread
}

// Summary summarises the values of one component in a bucket. Least and Largest are values of
// single steps, not means over several steps.
type Summary struct {
	Least, Mean, Largest float64 // missing if Steps is 0
	Steps                int     // number of steps with a value
}

// Spread summarises the values of all peers of a component in a bucket, without the component
// itself. Least and Largest are the least and the largest value of a single step. P5 to P95 are
// percentiles of the values of single steps. If the store reads quarter hours instead of steps, P5
// to P95 are percentiles of the means of quarter hours.
type Spread struct {
	Least, P5, P25, P50, P75, P95, Largest float64 // missing if Values is 0
	Values                                 int     // number of values from which the quantiles are computed
}

// End returns the end of the bucket that contains the time t. Buckets end at multiples of their
// length.
func End(t, length int64) int64 { return (t + length - 1) / length * length }

// bucketing collects values into buckets. The caller must add the values in order of time.
// bucketing counts how often each value of the peers occurs, by the key of the value
// (segment.Code.Key). So quantiles need no sorting, and the memory does not grow with the number of
// values.
type bucketing struct {
	Length int64 // length of a bucket, in seconds
	Emit   func(Bucket)

	end    int64 // end of the open bucket; 0 if no bucket is open
	self   Summary
	sum    float64
	counts [1 << 16]uint32 // by segment.Code.Key of a value: number of values of the peers that have this key
	least  segment.Code    // bucketing.least is the key of the least value of all peers in a single step; bucketing.most is the key of the largest value
	most   segment.Code
	from   segment.Code // bucketing.from is the smallest key that was counted; bucketing.to is the largest key
	to     segment.Code
	peers  int
}

// SetTime sets the time of the values that follow. If the time is in another bucket, SetTime closes
// the open bucket first.
func (b *bucketing) SetTime(t int64) {
	if end := End(t, b.Length); end != b.end {
		b.Finish()
		b.end = end
		b.self, b.sum, b.peers = Summary{math.Inf(1), table.Missing, math.Inf(-1), 0}, 0, 0
		b.least, b.most, b.from, b.to = math.MaxUint16, 0, math.MaxUint16, 0
	}
}

// AddOwn adds values of the component itself. The parameter `steps` is the number of steps that the
// values summarise.
func (b *bucketing) AddOwn(least, mean, largest segment.Code, steps int) {
	b.self.Least, b.self.Largest = min(b.self.Least, least.Float()), max(b.self.Largest, largest.Float())
	b.sum += mean.Float() * float64(steps)
	b.self.Steps += steps
}

// AddPeer adds values of one of the component's peers.
func (b *bucketing) AddPeer(least, mean, largest segment.Code) {
	k := mean.Key()
	b.counts[k]++
	b.from, b.to = min(b.from, k), max(b.to, k)
	b.least, b.most = min(b.least, least.Key()), max(b.most, largest.Key())
	b.peers++
}

// Finish closes the open bucket. It does not emit an empty bucket, so that a plot shows a gap.
func (b *bucketing) Finish() {
	if b.end == 0 || b.self.Steps+b.peers == 0 {
		return
	}
	out := Bucket{End: b.end, Own: b.self, Peers: b.spread()}
	if b.self.Steps > 0 {
		out.Own.Mean = b.sum / float64(b.self.Steps)
	} else {
		out.Own.Least, out.Own.Largest = table.Missing, table.Missing
	}
	b.Emit(out)
	if b.peers > 0 {
		clear(b.counts[b.from : int(b.to)+1])
	}
	b.end = 0
}

// spread computes the quantiles from the counts.
func (b *bucketing) spread() Spread {
	shares := [...]float64{0.05, 0.25, 0.5, 0.75, 0.95}
	s := Spread{Least: table.Missing, Largest: table.Missing, Values: b.peers}
	out := [...]*float64{&s.P5, &s.P25, &s.P50, &s.P75, &s.P95}
	for i := range out {
		*out[i] = table.Missing
	}
	if b.peers == 0 {
		return s
	}
	s.Least, s.Largest = b.least.Unkey().Float(), b.most.Unkey().Float()
	below, k := 0, int(b.from) // below is the number of peers' values with a key less than k
	nth := func(n int) float64 {
		for below+int(b.counts[k]) <= n {
			below += int(b.counts[k])
			k++
		}
		return segment.Code(k).Unkey().Float()
	}
	for i, share := range shares {
		at := share * float64(b.peers-1)
		low := int(at)
		v := nth(low)
		if rest := at - float64(low); rest > 0 {
			was, key := below, k
			v += rest * (nth(low+1) - v)
			below, k = was, key
		}
		*out[i] = v
	}
	return s
}
