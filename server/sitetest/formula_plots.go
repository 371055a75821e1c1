package sitetest

import (
	"context"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/prevalence"
)

// threshold is the score from which on a component is anomalous.
const threshold = 1

// sampledPeers is the approximate number of peers from which quantiles are computed. It is enough for a
// plot.
const sampledPeers = 120

// formulaPlots computes the numbers of a site by the formula of its world.
type formulaPlots struct {
	site  *Site
	world *world
	fleet *prevalence.Keeper // counts drive hours; set by Serve
}

// number returns a value or a score.
func (w *world) number(component int, name, what string, at int64) float64 {
	if what == api.Scores {
		return w.score(component, name, at)
	}
	return w.value(component, name, at)
}

// Series returns the values of a component and of its peers over time.
func (p *formulaPlots) Series(_ context.Context, q api.SeriesQuery) (*api.Series, error) {
	at, ok := p.world.system.Lookup(q.Component)
	if !ok {
		return nil, api.ErrNotFound
	}
	step := int64(stepSeconds)
	if q.What == api.Scores {
		step = shiftSeconds
	}
	for (q.To-q.From)/step > int64(q.Points) {
		step *= 2
	}
	begin := q.From - q.From%step
	group := p.world.system.Components[at].Group
	members := p.world.system.Groups[group-1].Members
	out := &api.Series{
		Component: q.Component, Group: group, Metric: q.Metric, What: q.What, Unit: unit(q.Metric, q.What), From: document.Time(begin),
		StepSeconds: step, Members: len(members),
	}
	for _, quantile := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
		out.Peers = append(out.Peers, api.Band{Quantile: quantile})
	}
	now := p.site.Result().To
	for t := begin + step; t <= min(q.To, now); t += step {
		out.Values = append(out.Values, document.Number(p.world.number(at, q.Metric, q.What, t)))
		if q.What == api.Scores {
			out.Thresholds = append(out.Thresholds, threshold)
		}
		peers := p.peers(members, at, q, t)
		for i := range out.Peers {
			out.Peers[i].Values = append(out.Peers[i].Values, document.Number(quantileOf(peers, out.Peers[i].Quantile)))
		}
	}
	return out, nil
}

func (p *formulaPlots) peers(members []int, but int, q api.SeriesQuery, t int64) []float64 {
	var list []float64
	for i := 0; i < len(members); i += max(1, len(members)/sampledPeers) {
		if v := p.world.number(members[i], q.Metric, q.What, t); members[i] != but && !math.IsNaN(v) {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	return list
}

func quantileOf(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

func unit(name, what string) string {
	m, err := metric.Lookup(name)
	if what == api.Scores || err != nil {
		return ""
	}
	return m.Unit
}

// Map returns one value of every component at one time.
func (p *formulaPlots) Map(_ context.Context, q api.MapQuery) (*api.Map, error) {
	now := p.site.Result().To
	at := min(q.At, now)
	if at == 0 {
		at = now
	}
	if _, ok := api.Percentiles[q.What]; ok {
		return api.NewPercentiles(p.allRequests(at), p.world.system, q.What, at), nil
	}
	step := int64(stepSeconds)
	m := &api.Map{Metric: q.Metric, What: q.What, Unit: unit(q.Metric, q.What), Bound: document.Number(math.NaN())}
	if q.What == api.Scores {
		step, m.Bound = shiftSeconds, threshold
	}
	at -= at % step
	m.At = document.Time(at)
	for i := range p.world.system.Components {
		m.Components = append(m.Components, p.world.system.Components[i].Name)
		m.Values = append(m.Values, document.Number(rounded(p.world.number(i, q.Metric, q.What, at))))
	}
	return m, nil
}

// rounded returns the number rounded to a thousandth.
func rounded(v float64) float64 { return math.Round(v*1000) / 1000 }
