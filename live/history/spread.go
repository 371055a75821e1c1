// This file sums up what a component and its peers did, in buckets of time:
// the extremes of the component, and quantiles of the others. Values come rounded
// (package segment), so that few of them differ and quantiles are counted. It knows
// nothing of files.

package history

import (
	"math"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/history/segment"
)

// Bucket is a stretch of time.
type Bucket struct {
	End   int64 // it begins its length before
	Own   Summary
	Peers Spread
}

// Summary is one component in a bucket. Least and Largest are those of single
// steps, however long the bucket is.
type Summary struct {
	Least, Mean, Largest float64 // missing where Steps is 0
	Steps                int     // that have a value
}

// Spread is all peers of a component in a bucket, the component left out. Least
// and Largest are those of single steps; the quantiles are of steps or, where the
// answer is made of quarter hours, of means over these.
type Spread struct {
	Least, P5, P25, P50, P75, P95, Largest float64 // missing where Values is 0
	Values                                 int     // that the quantiles are of
}

// End is the end of the bucket that a time lies in: buckets end on multiples of
// their length.
func End(t, length int64) int64 { return (t + length - 1) / length * length }

// bucketing gathers what comes in order of time into buckets. Peers are counted by
// their codes, of which there are few: quantiles need no sorting, and memory does
// not grow.
type bucketing struct {
	Length int64 // seconds of a bucket
	Emit   func(Bucket)

	end    int64 // of the bucket that is open; 0 where none is
	self   Summary
	sum    float64
	counts [1 << 16]uint32 // of peers, by key
	least  segment.Code    // keys of the peers' least and largest step
	most   segment.Code
	from   segment.Code // keys that were counted lie between these
	to     segment.Code
	peers  int
}

// At says that what follows is of a time.
func (b *bucketing) At(t int64) {
	if end := End(t, b.Length); end != b.end {
		b.Finish()
		b.end = end
		b.self, b.sum, b.peers = Summary{math.Inf(1), table.Missing, math.Inf(-1), 0}, 0, 0
		b.least, b.most, b.from, b.to = math.MaxUint16, 0, math.MaxUint16, 0
	}
}

// Own takes the component itself, over so many steps.
func (b *bucketing) Own(least, mean, largest segment.Code, steps int) {
	b.self.Least, b.self.Largest = min(b.self.Least, least.Float()), max(b.self.Largest, largest.Float())
	b.sum += mean.Float() * float64(steps)
	b.self.Steps += steps
}

// Peer takes one of its peers.
func (b *bucketing) Peer(least, mean, largest segment.Code) {
	k := mean.Key()
	b.counts[k]++
	b.from, b.to = min(b.from, k), max(b.to, k)
	b.least, b.most = min(b.least, least.Key()), max(b.most, largest.Key())
	b.peers++
}

// Finish closes the bucket that is open. One that holds nothing is a gap.
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

// spread counts peers up to each quantile.
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
	below, k := 0, int(b.from) // peers with a lesser key
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
