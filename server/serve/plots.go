package serve

import (
	"context"
	"math"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
)

// Series is a component beside its peers.
func (s site) Series(ctx context.Context, q api.SeriesQuery) (*api.Series, error) {
	group, members, err := s.peersOf(q.Component)
	if err != nil {
		return nil, err
	}
	out := &api.Series{Component: q.Component, Group: group, Metric: q.Metric, What: q.What, Members: members, From: document.Time(q.From), Peers: []api.Band{}}
	if q.What == api.Scores {
		return out, s.scores(ctx, q, out)
	}
	unit, err := metric.Lookup(q.Metric)
	if err != nil {
		return nil, &api.Refusal{Text: err.Error()}
	}
	out.Unit = unit.Unit
	series, err := s.watch.History().Series(ctx, q.Component, q.Metric, q.From, q.To, q.Points)
	if err != nil {
		return nil, err
	}
	spread(out, series, q)
	out.Warnings = series.Troubles
	return out, nil
}

// peersOf is the peer group of a component, and how many are in it.
func (s site) peersOf(name string) (group, members int, err error) {
	system := s.watch.Result().Subject.System
	c, ok := system.Lookup(name)
	if !ok {
		return 0, 0, api.ErrNotFound
	}
	group = system.Components[c].Group
	return group, len(system.Groups[group-1].Members), nil
}

// quantiles of the peers that a series has.
var quantiles = []struct {
	at float64
	of func(*history.Spread) float64
}{
	{0, func(p *history.Spread) float64 { return p.Least }},
	{0.05, func(p *history.Spread) float64 { return p.P5 }},
	{0.25, func(p *history.Spread) float64 { return p.P25 }},
	{0.5, func(p *history.Spread) float64 { return p.P50 }},
	{0.75, func(p *history.Spread) float64 { return p.P75 }},
	{0.95, func(p *history.Spread) float64 { return p.P95 }},
	{1, func(p *history.Spread) float64 { return p.Largest }},
}

// spread lays buckets out in steps of equal length, with gaps where there is nothing.
func spread(out *api.Series, series *history.Series, q api.SeriesQuery) {
	out.StepSeconds = max(series.BucketSeconds, 1)
	first := q.From / out.StepSeconds
	out.From = document.Time(first * out.StepSeconds)
	n := int(q.To/out.StepSeconds - first)
	if q.To%out.StepSeconds != 0 {
		n++
	}
	out.Values = gaps(n)
	for _, one := range quantiles {
		out.Peers = append(out.Peers, api.Band{Quantile: one.at, Values: gaps(n)})
	}
	for i := range series.Buckets {
		b := &series.Buckets[i]
		at := int((b.End-1)/out.StepSeconds - first)
		if at < 0 || at >= n {
			continue
		}
		if b.Own.Steps > 0 {
			out.Values[at] = document.Number(b.Own.Mean)
		}
		for k, one := range quantiles {
			if b.Peers.Values > 0 {
				out.Peers[k].Values[at] = document.Number(one.of(&b.Peers))
			}
		}
	}
}

func gaps(n int) []document.Number {
	values := make([]document.Number, max(n, 0))
	for i := range values {
		values[i] = document.Number(math.NaN())
	}
	return values
}

// scores are what windows said of a component, at their ends.
func (s site) scores(ctx context.Context, q api.SeriesQuery, out *api.Series) error {
	all, err := s.watch.History().Scores(ctx, q.Component, q.From, q.To)
	if err != nil {
		return err
	}
	out.Warnings = all.Troubles
	step := s.watch.Result().Subject.Options.Detect
	out.StepSeconds = max(int64(step.WinShift)*step.StepSeconds, 1)
	first := q.From / out.StepSeconds
	out.From = document.Time(first * out.StepSeconds)
	n := int((q.To-1)/out.StepSeconds-first) + 1
	out.Values, out.Thresholds = gaps(n), gaps(n)
	for i := range all.Scores {
		sc := &all.Scores[i]
		at := int((sc.End-1)/out.StepSeconds - first)
		if sc.Metric != q.Metric || sc.Threshold == 0 || at < 0 || at >= n {
			continue
		}
		out.Values[at], out.Thresholds[at] = document.Number(sc.Score), document.Number(sc.Threshold)
	}
	return nil
}

// Map is one value of every component at a time.
func (s site) Map(ctx context.Context, q api.MapQuery) (*api.Map, error) {
	now := s.watch.Result()
	at := q.At
	if at == 0 {
		at = now.To
	}
	if _, ok := api.Percentiles[q.What]; ok {
		return api.NewPercentiles(now.Requests, now.Subject.System, q.What, at), nil
	}
	out := &api.Map{Metric: q.Metric, What: q.What, Bound: document.Number(math.NaN())}
	if one, err := metric.Lookup(q.Metric); err == nil && q.What != api.Scores {
		out.Unit = one.Unit
	}
	m, err := s.watch.History().Map(ctx, history.MapKind{Metric: q.Metric, Score: q.What == api.Scores}, at)
	if err != nil {
		return nil, err
	}
	if q.What == api.Scores {
		out.Bound = 1 // scores are multiples of their thresholds
		m.Seconds = int64(now.Subject.Options.Detect.WinSize) * now.Subject.Options.Detect.StepSeconds
	}
	out.At, out.Warnings = document.Time(m.End), m.Troubles
	if m.End > m.Seconds && m.Seconds > 0 {
		out.From = document.Time(m.End - m.Seconds)
	}
	value := make(map[string]float64, len(m.Values))
	for i, name := range m.Components {
		value[name] = m.Values[i]
	}
	for i := range now.Subject.System.Components {
		name := now.Subject.System.Components[i].Name
		v, ok := value[name]
		if !ok {
			v = math.NaN()
		}
		out.Components, out.Values = append(out.Components, name), append(out.Values, document.Number(v))
	}
	return out, nil
}
