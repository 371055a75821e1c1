// This file studies slowdowns of percentiles beside those of means. T16 had hourly means
// alone: a drive that stalls one request in a hundred for a second looks healthy in them.
//
// In every hour each drive of a group has the distribution of its requests' times in the
// device. Its mean, its median, its 99 % and its 99.9 % are each divided by the median of
// its group's, as T16 does with means. A drive hour is slow in the tail where the 99 % or
// the 99.9 % reach the threshold, and in the tail alone where the mean does not. The
// report has the number of drives that limp in the tail alone, for how long, and the share
// of all slow hours that a study of means would not have seen.
//
// A percentile counts where at least ten requests lie beyond it. Hours of drives with
// fewer requests have no value. As elsewhere in the study, a group's hour needs three
// members.
//
// The rows have latencies: those of limpet's own recorder, and of histograms of others.
// study.Reduce takes the means of the same hours.

package survey

import (
	"slices"

	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/study"
)

// The measures of a drive hour.
const (
	mean = iota
	median
	p99
	p999
	measures
)

// names of the measures.
var names = [measures]string{"the mean", "the median", "the 99th percentile", "the 99.9th percentile"}

// shares of requests that percentiles are not exceeded by; 0 is the mean.
var shares = [measures]float64{median: 0.5, p99: 0.99, p999: 0.999}

// leastBeyond is how many requests have to lie beyond a percentile for it to be
// known: of ten, its time is sure to a third where times are spread as drives' are.
const leastBeyond = 10

// A Drive is the requests of one drive in an hour.
type Drive struct {
	Drive    int32 // index into the fleet's
	Requests blklat.Histogram
}

// Hours takes the hours of groups, and counts.
type Hours struct {
	thresholds []float64
	groups     map[int32]*group
}

// group is what was counted of one, by threshold.
type group struct {
	hours  [][counts]int64
	drives map[int32][]course // by drive, then threshold
}

// The counts of a group at a threshold.
const (
	driveHours      = iota                       // with a mean
	slowBy                                       // by each measure
	percentileKnown = slowBy + measures          // drive hours that have each measure
	inTail          = percentileKnown + measures // slow by 99 % or 99.9 %
	tailAlone       = inTail + 1                 // of them, not by the mean
	anySlow         = tailAlone + 1              // slow by the mean or in the tail
	counts          = anySlow + 1
)

// course is how one drive did.
type course struct {
	hours  int64
	alone  int64 // in the tail alone
	byMean int64
	last   int32 // hour in the tail alone
	run    int
	runs   []int // that have ended
}

// New returns hours of nothing yet.
func New(o study.Options) *Hours {
	return &Hours{thresholds: o.Thresholds, groups: map[int32]*group{}}
}

// Take takes all drives of a group in an hour. Hours of a group ascend.
func (h *Hours) Take(hour, of int32, drives []Drive) {
	g := h.groups[of]
	if g == nil {
		g = &group{hours: make([][counts]int64, len(h.thresholds)), drives: map[int32][]course{}}
		h.groups[of] = g
	}
	slowdowns := slowdowns(drives)
	for i := range drives {
		if slowdowns[i][mean] == 0 {
			continue
		}
		d := drives[i].Drive
		if g.drives[d] == nil {
			g.drives[d] = make([]course, len(h.thresholds))
		}
		for t, threshold := range h.thresholds {
			g.count(t, threshold, &slowdowns[i])
			g.drives[d][t].take(hour, threshold, &slowdowns[i])
		}
	}
}

// slowdowns are those of each drive by each measure; 0 where it is not known.
func slowdowns(drives []Drive) [][measures]float64 {
	out := make([][measures]float64, len(drives))
	for m := range measures {
		var values []float64
		var at []int
		for i := range drives {
			if ns := measured(drives[i].Requests, m); ns > 0 {
				values, at = append(values, ns), append(at, i)
			}
		}
		if len(values) < study.Narrowest {
			continue
		}
		middle := quantile.Median(slices.Clone(values))
		for k, i := range at {
			out[i][m] = values[k] / middle
		}
	}
	return out
}

// measured is a measure of some requests in ns, 0 where it is not known.
func measured(h blklat.Histogram, m int) float64 {
	n := float64(h.Requests())
	switch {
	case n == 0 || n*(1-shares[m]) < leastBeyond:
		return 0
	case m == mean:
		return h.MeanNs()
	}
	return h.QuantileNs(shares[m])
}

func (g *group) count(t int, threshold float64, s *[measures]float64) {
	c := &g.hours[t]
	c[driveHours]++
	for m := range measures {
		c[percentileKnown+m] += one(s[m] > 0)
		c[slowBy+m] += one(s[m] >= threshold)
	}
	tail, byMean := isTail(s, threshold), s[mean] >= threshold
	c[inTail] += one(tail)
	c[tailAlone] += one(tail && !byMean)
	c[anySlow] += one(tail || byMean)
}

func isTail(s *[measures]float64, threshold float64) bool {
	return s[p99] >= threshold || s[p999] >= threshold
}

// take takes an hour up.
func (c *course) take(hour int32, threshold float64, s *[measures]float64) {
	c.hours++
	c.byMean += one(s[mean] >= threshold)
	alone := isTail(s, threshold) && s[mean] < threshold
	if c.run > 0 && (!alone || hour != c.last+1) {
		c.runs, c.run = append(c.runs, c.run), 0
	}
	if alone {
		c.alone++
		c.run++
		c.last = hour
	}
}

func one(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
