package report

import (
	"slices"

	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/page"
)

// view is a metric as a plot shows it.
type view struct {
	axis   page.Axis
	at     []float64
	values func(component int) []float64
}

// asMeasured shows a metric in its own unit.
func (e *Evidence) asMeasured(m int) view {
	of, t := e.s.Schema.Metrics[m], e.tracks[m]
	return view{page.Axis{Label: of.Name, Unit: of.Unit}, t.at(), t.of}
}

// asTold shows the metric of evidence in the unit of its words: throughput in
// megabytes, segments that were sent again as a share of all. It reports false
// where the rows for that were not kept.
func (e *Evidence) asTold(ev *explain.Evidence) (view, bool) {
	t := e.track(ev.Metric)
	if t == nil {
		return view{}, false
	}
	v := e.asMeasured(t.metric)
	if ev.Unit == v.axis.Unit {
		factor, unit := legible(1, ev.Unit)
		v.values = func(c int) []float64 { return scaled(t.of(c), factor) }
		v.axis.Unit = unit
		return v, true
	}
	arrived := e.track(counterpart(ev.Metric))
	if arrived == nil {
		return view{}, false
	}
	v.values = func(c int) []float64 { return shares(t.of(c), arrived.of(c)) }
	v.axis.Unit = ev.Unit
	return v, true
}

// track finds what was kept of a metric; nil where nothing was.
func (e *Evidence) track(name string) *track {
	return e.tracks[metric.Index(e.s.Schema.Metrics, name)]
}

// counterpart names the segments that arrived beside those sent again.
func counterpart(name string) string {
	switch name {
	case metric.RetrOut.Name:
		return metric.DlvOut.Name
	case metric.RetrIn.Name:
		return metric.DlvIn.Name
	}
	return ""
}

func scaled(values []float64, factor float64) []float64 {
	for i := range values {
		values[i] *= factor
	}
	return values
}

// shares are the percentages of all segments that were sent again. Where none
// was sent there is none.
func shares(again, arrived []float64) []float64 {
	for i := range again {
		again[i] = 100 * again[i] / (again[i] + arrived[i])
	}
	return again
}

// crowd draws a group as a density, with some of its members over it.
func (e *Evidence) crowd(v view, group int, title string, named []int) (*page.Crowd, error) {
	members := e.s.System.Groups[group].Members
	all := make([][]float64, len(members))
	for i, c := range members {
		all[i] = v.values(c)
	}
	chart := page.Chart{Title: title, X: page.Axis{Scale: page.Time}, Y: v.axis, At: v.at}
	chart.Y.Max = max(1.2*most(all...), 1e-9)
	for _, c := range named {
		values := v.values(c)
		chart.Series = append(chart.Series, page.Series{Name: e.s.System.Components[c].Name, Role: page.Suspect, Values: values})
		chart.Y.Max = max(chart.Y.Max, 1.2*most(values))
	}
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

// spans are the known faults of a component.
func (e *Evidence) spans(name string) []page.Span {
	var spans []page.Span
	for _, m := range e.marks {
		if slices.Contains(m.Names, name) {
			spans = append(spans, page.Span{Label: m.Label, Role: page.Suspect, From: float64(m.From), To: float64(m.To)})
		}
	}
	return spans
}
