package persistence

import (
	"math"

	"github.com/limpet-storage/limpet/engine/metric"
)

// approach is the method by which the windows of a metric are compared. There are two
// methods: by histograms, and by the time series itself. The second method is for metrics
// that are so noisy that the histograms of healthy peers differ (F10 §10.1).
type approach struct {
	opts     Options // options for this metric: length of the moving average, window, filter
	full     float64 // smallest share of the steps of a moving average that must have values
	bySeries bool    // windows are compared by the time series itself, not by histograms
	// thresholds computes the threshold of each member from its scores in the training data.
	thresholds func(scores, rule) []float64
}

// approachOf returns the method by which the windows of a metric are compared.
func approachOf(m metric.Metric, o Options) approach {
	switch {
	case m.Subject == metric.SubjectHost && o.CwndSmooth > 0:
		return timeSeries(o)
	case o.TrainStep > 0:
		return approach{opts: o, thresholds: scores.RaisedThresholds}
	}
	return approach{opts: o, thresholds: scores.LargestThresholds}
}

// timeSeries returns the approach that compares every step separately. Windows do not overlap, and
// K is 1, so a single anomaly makes a component a suspect. The thresholds of congestion windows are
// not multiplied by TrainFactor, because congestion windows react strongly to a fault (F10 §10.1).
func timeSeries(o Options) approach {
	o.Smooth, o.WinSize, o.K, o.TrainFactor = o.CwndSmooth, o.WinShift, 1, 1
	return approach{opts: o, full: o.CwndFullShare, bySeries: true, thresholds: scores.SharedThreshold}
}

// shape returns the lengths of the moving average and of the window, in steps, and the smallest
// number of values that an average needs.
func (a *approach) shape() shape {
	o := &a.opts
	return shape{Smooth: o.Smooth, WinSize: o.WinSize, Full: int(math.Ceil(a.full * float64(o.Smooth)))}
}

// rule returns the settings by which the scores of the training data become thresholds. The
// parameter `possible` is the largest possible score.
func (a *approach) rule(possible float64) rule {
	o := &a.opts
	return rule{Factor: o.TrainFactor, K: o.K, Step: o.TrainStep, CapShare: o.TrainCapShare, Possible: possible}
}
