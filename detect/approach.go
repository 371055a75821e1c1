package detect

import "github.com/limpet-storage/limpet/metric"

// approach is how the windows of a metric are judged. F10 §10.1 has two: by
// histograms, and by the time series itself where a metric is too noisy for
// peers to be alike.
type approach struct {
	opts     Options // average, window and filter of the metric
	full     float64 // share of the average's span that must have values
	bySeries bool    // by the time series itself, not by histograms
	// thresholds gives those that a training ends with, by member.
	thresholds func(*training, *Options) []float64
}

// approachTo chooses the approach to a metric.
func approachTo(m metric.Metric, o Options) approach {
	switch {
	case m.Subject == metric.OfHost && o.CwndSmooth > 0:
		return timeSeries(o)
	case o.TrainStep > 0:
		return approach{opts: o, thresholds: raisedThresholds}
	}
	return approach{opts: o, thresholds: largestThresholds}
}

// timeSeries judges every step on its own. Windows therefore do not overlap
// and the filter passes everything, and as cwnd is very sensitive its
// thresholds are not multiplied (F10 §10.1).
func timeSeries(o Options) approach {
	o.Smooth, o.WinSize, o.K, o.TrainFactor = o.CwndSmooth, o.WinShift, 1, 1
	return approach{opts: o, full: o.CwndFullShare, bySeries: true, thresholds: sharedThreshold}
}
