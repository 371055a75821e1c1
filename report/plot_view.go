package report

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/report/page"
)

// track returns the track of a metric; nil: the metric is not kept.
func (k *kept) track(name string) *track {
	return k.tracks[metric.Index(k.schema.Metrics, name)]
}

// view is a metric with the unit and the axis of a plot.
type view struct {
	axis   page.Axis
	at     []float64
	values func(component int) []float64
}

// asMeasured returns the view of a metric in its own unit.
func (k *kept) asMeasured(m int) view {
	of, t := k.schema.Metrics[m], k.tracks[m]
	axis := page.Axis{Label: of.Name, Unit: of.Unit}
	if of.Ratio() {
		axis.Scale = page.Log
	}
	return view{axis, t.At(), t.of}
}

// inSentenceUnit returns the view of the metric of evidence, in the unit that the sentences use:
// throughput in megabytes, retransmitted segments as a share of all segments. It returns false if
// the values for this unit were not kept.
func (k *kept) inSentenceUnit(ev *finding.Evidence) (view, bool) {
	t := k.track(ev.Metric)
	if t == nil || ev.Component < 0 {
		return view{}, false
	}
	v := k.asMeasured(t.metric)
	if ev.Unit == v.axis.Unit {
		factor, unit := english.Scale(ev.Unit)
		v.axis.Unit = unit
		v.values = func(c int) []float64 {
			values := t.of(c)
			for i := range values {
				values[i] *= factor
			}
			return values
		}
		return v, true
	}
	arrived := k.track(map[string]string{metric.RetrOut.Name: metric.DlvOut.Name, metric.RetrIn.Name: metric.DlvIn.Name}[ev.Metric])
	if arrived == nil {
		return view{}, false
	}
	v.axis.Unit = ev.Unit
	v.values = func(c int) []float64 {
		again, arrived := t.of(c), arrived.of(c)
		for i := range again { // NaN if no segments were sent
			again[i] = 100 * again[i] / (again[i] + arrived[i])
		}
		return again
	}
	return v, true
}

// Crowd draws a metric of a group in its own unit, with the named members in front.
func (k *kept) Crowd(m, group int, title string, named []int) (*page.Crowd, error) {
	return k.drawCrowd(k.asMeasured(m), group, title, named)
}

// drawCrowd draws a group as a density, with the named members in front.
func (k *kept) drawCrowd(v view, group int, title string, named []int) (*page.Crowd, error) {
	members := k.system.Groups[group].Members
	all := make([][]float64, len(members))
	for i, c := range members {
		all[i] = v.values(c)
	}
	chart := page.Chart{Title: title, X: page.Axis{Scale: page.Time}, Y: v.axis, At: v.at}
	var stand [][]float64
	for _, c := range named {
		values := v.values(c)
		chart.Series = append(chart.Series, page.Series{Name: k.system.Components[c].Name, Role: page.Suspect, Values: values})
		stand = append(stand, values)
	}
	chart.Y.Min, chart.Y.Max = extent(chart.Y.Scale, all, stand)
	crowd, err := page.NewCrowd(chart)
	if err != nil {
		return nil, err
	}
	for i, c := range members {
		if !slices.Contains(named, c) {
			if err := crowd.Add(all[i]); err != nil {
				return nil, err
			}
		}
	}
	return crowd, nil
}

// extent returns the range of a plot with a crowd and some named series. The range ends at the
// 99.9th percentile, so that a single spike does not flatten the plot. It begins at 0, or on a
// logarithmic axis at the 0.1th percentile. Some space is added at both ends.
func extent(scale page.Scale, crowd, named [][]float64) (low, high float64) {
	for _, series := range append([][]float64{slices.Concat(crowd...)}, named...) {
		all := slices.DeleteFunc(slices.Clone(series), func(v float64) bool { return table.IsMissing(v) || scale == page.Log && v <= 0 })
		if len(all) == 0 {
			continue
		}
		high = max(high, 1.2*quantile.Nth(all, len(all)*999/1000))
		if least := quantile.Nth(all, len(all)/1000) / 1.2; low == 0 || least < low {
			low = least
		}
	}
	if scale != page.Log {
		return 0, max(high, 1e-9)
	}
	if !(low < high) {
		return 1, 10 // nothing was measured
	}
	return low, high
}
