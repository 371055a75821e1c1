// This file studies slowdowns of percentiles in addition to slowdowns of means. T16 had only
// hourly means. By its mean, a drive that stalls one request in a hundred looks healthy.
//
// The input is the latency histogram of each drive and hour: the times of its requests in the
// device, from limpet's own recorder or from histograms of others. study.Reduce takes the
// means of the same hours.
//
// For each drive hour, the mean, the median, the 99th and the 99.9th percentile are divided by
// the median of the group, as T16 does with means. A drive hour is
//
//   - slow by the mean, if the slowdown of the mean reaches the threshold;
//   - slow in the tail, if the slowdown of the 99th or of the 99.9th percentile does;
//   - slow in the tail alone, if it is slow in the tail and not by the mean.
//
// The report has the number of drives that are slow in the tail alone, for how long, and the
// share of all slow hours that a study of means does not find.
//
// A percentile needs at least ten requests above it; with fewer it is unknown. As elsewhere in
// the study, an hour of a group needs three members.

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

// names has the names of the measures in the report.
var names = [measures]string{"the mean", "the median", "the 99th percentile", "the 99.9th percentile"}

// shares has, for each percentile, the share of requests at or below it; 0 for the mean.
var shares = [measures]float64{median: 0.5, p99: 0.99, p999: 0.999}

// leastBeyond is the smallest number of requests above a percentile. With ten requests, the error
// of the percentile is about a third, for the latency distributions of drives.
const leastBeyond = 10

// A Drive holds the requests of one drive in an hour.
type Drive struct {
	Drive    int32 // index into Fleet.Drives
	Requests blklat.Histogram
}

// Hours counts the slow hours of groups and drives.
type Hours struct {
	thresholds []float64
	groups     map[int32]*group
}

// group holds the counts of one group.
type group struct {
	hours  [][counts]int64    // by threshold
	drives map[int32][]course // by drive, then threshold
}

// The counts of a group at a threshold, in drive hours.
const (
	driveHours      = iota                       // with a known mean
	slowBy                                       // slow, by measure
	percentileKnown = slowBy + measures          // with a known value, by measure
	inTail          = percentileKnown + measures // slow in the tail
	tailAlone       = inTail + 1                 // slow in the tail alone
	anySlow         = tailAlone + 1              // slow by the mean or in the tail
	counts          = anySlow + 1
)

// course holds the counts of one drive at one threshold.
type course struct {
	hours  int64
	alone  int64 // hours that were slow in the tail alone
	byMean int64 // hours that were slow by the mean
	last   int32 // last hour that was slow in the tail alone
	run    int   // length of the current run of hours in the tail alone
	runs   []int // lengths of the runs that have ended
}

// New returns Hours without counts.
func New(o study.Options) *Hours {
	return &Hours{thresholds: o.Thresholds, groups: map[int32]*group{}}
}

// Take adds all drives of a group in an hour. The hours of a group must ascend.
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

// slowdowns returns the slowdowns by drive and measure; 0: unknown.
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

// measured returns a measure of a histogram in nanoseconds; 0: unknown.
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
		c[percentileKnown+m] += oneIf(s[m] > 0)
		c[slowBy+m] += oneIf(s[m] >= threshold)
	}
	tail, byMean := isTail(s, threshold), s[mean] >= threshold
	c[inTail] += oneIf(tail)
	c[tailAlone] += oneIf(tail && !byMean)
	c[anySlow] += oneIf(tail || byMean)
}

func isTail(s *[measures]float64, threshold float64) bool {
	return s[p99] >= threshold || s[p999] >= threshold
}

// take adds an hour to the counts of a drive.
func (c *course) take(hour int32, threshold float64, s *[measures]float64) {
	c.hours++
	c.byMean += oneIf(s[mean] >= threshold)
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
