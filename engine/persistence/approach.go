package persistence

import (
	"math"

	"github.com/limpet-storage/limpet/engine/metric"
)

// approach is how the windows of a metric are judged. F10 §10.1 has two: by
// histograms, and by the time series itself where a metric is too noisy for
// peers to be alike.
type approach struct {
	opts     Options // average, window and filter of the metric
	full     float64 // share of the average's span that must have values
	bySeries bool    // by the time series itself, not by histograms
	// thresholds are those that a training ends with, by member.
	thresholds func(scores, rule) []float64
}

// approachTo chooses the approach to a metric.
func approachTo(m metric.Metric, o Options) approach {
	switch {
	case m.Subject == metric.OfHost && o.CwndSmooth > 0:
		return timeSeries(o)
	case o.TrainStep > 0:
		return approach{opts: o, thresholds: scores.Raised}
	}
	return approach{opts: o, thresholds: scores.Largest}
}

// timeSeries judges every step on its own. Windows therefore do not overlap
// and the filter passes everything, and as cwnd is very sensitive its
// thresholds are not multiplied (F10 §10.1).
func timeSeries(o Options) approach {
	o.Smooth, o.WinSize, o.K, o.TrainFactor = o.CwndSmooth, o.WinShift, 1, 1
	return approach{opts: o, full: o.CwndFullShare, bySeries: true, thresholds: scores.Shared}
}

// shape is how values are averaged and kept.
func (a *approach) shape() shape {
	o := &a.opts
	return shape{Smooth: o.Smooth, WinSize: o.WinSize, Full: int(math.Ceil(a.full * float64(o.Smooth)))}
}

// rule says how the scores of a training become thresholds.
func (a *approach) rule(possible float64) rule {
	o := &a.opts
	return rule{Factor: o.TrainFactor, K: o.K, Step: o.TrainStep, CapShare: o.TrainCapShare, Possible: possible}
}
