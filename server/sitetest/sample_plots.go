package sitetest

import (
	"context"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/heatmap"
	"github.com/limpet-storage/limpet/server/api"
)

// samplePlots has the values of the sample site. They are constants.
type samplePlots struct{ site *Site }

// Series returns nearly constant values of a component and of its peers, with a gap.
func (p samplePlots) Series(_ context.Context, q api.SeriesQuery) (*api.Series, error) {
	system := p.site.Result().Subject.System
	at, _ := system.Lookup(q.Component)
	own, peers := []document.Number{31, 32, none, 31}, []document.Number{10, 10, none, 11}
	group := system.Components[at].Group
	return &api.Series{
		Component: q.Component, Group: group, Metric: q.Metric, What: q.What, Unit: "ms", From: document.Time(q.From),
		StepSeconds: (q.To - q.From) / int64(len(own)), Values: own, Members: len(system.Groups[group-1].Members),
		Peers: []api.Band{{Quantile: 0.25, Values: peers}, {Quantile: 0.5, Values: peers}},
	}, p.site.Fails
}

// Fleet returns how common limping is on the site: one of sixteen LUNs limps.
func (p samplePlots) Fleet(_ context.Context, q api.FleetQuery) (*api.Fleet, error) {
	if q.Days > usualDays {
		read := 0.25
		return &api.Fleet{Days: q.Days, Reading: &read, Parts: []api.FleetPart{}, Warnings: []string{}}, p.site.Fails
	}
	return &api.Fleet{
		Days: q.Days, From: document.Time(Start), To: document.Time(Now), Grouping: "array", Warnings: []string{"a warning"},
		Parts: []api.FleetPart{{
			Kind: "drive", Groups: 2, Drives: 16, DriveHours: 64, SlowNow: 1, DrivesNow: 16,
			Figures: []api.FleetFigure{
				{Name: "slow-hours-2", Share: 0.046875, Part: 3, Whole: 64, Low: none, High: none, Unsure: "only 1 group has such values"},
				{Name: "ever-2", Share: 0.0625, Part: 1, Whole: 16, Low: 0.01, High: 0.2},
			},
			Tables: []api.FleetTable{{
				Name: "worst-drives", Title: "The worst drives", Note: "a note", Columns: []string{"drive", "hours at 2×"}, Units: []string{"number"},
				Rows: []api.FleetRow{{Label: "1.0 in ddn1", Component: "1.0.1", Values: api.Numbers{3}}, {Label: "1.2 in ddn1", Values: api.Numbers{none}}},
			}},
		}},
	}, p.site.Fails
}

// usualDays is the largest number of days that has already been counted.
const usualDays = 30

// Latencies returns latencies of about a millisecond. One in ten requests of the component takes
// longer.
func (p samplePlots) Latencies(_ context.Context, q api.LatenciesQuery) (*api.Latencies, error) {
	system := p.site.Result().Subject.System
	at, _ := system.Lookup(q.Component)
	return api.NewLatencies(p.requests(at, q.To), system, at, q), p.site.Fails
}

// requests returns the requests of the step that ends at end. The component with the index at has
// slow requests.
func (p samplePlots) requests(at int, end int64) *heatmap.Kept {
	system := p.site.Result().Subject.System
	schema := table.Schema{StepSeconds: 15, Components: len(system.Components), Latencies: true}
	kept, row := heatmap.New(schema), table.NewRow(schema)
	row.End = end
	for c := range system.Components {
		h := &row.LatencyOf(c)[blklat.Read].Device
		if *h = (blklat.Histogram{{Bucket: uint16(blklat.Bucket(1e6)), Requests: 9}}); c == at {
			h.Add(blklat.Histogram{{Bucket: uint16(blklat.Bucket(50e6)), Requests: 1}})
		}
	}
	kept.Row(row)
	return kept
}

// Map returns a value of every component.
func (p samplePlots) Map(_ context.Context, q api.MapQuery) (*api.Map, error) {
	now := p.site.Result()
	if _, ok := api.Percentiles[q.What]; ok {
		return api.NewPercentiles(p.requests(1, now.To), now.Subject.System, q.What, now.To), p.site.Fails
	}
	m := &api.Map{Metric: q.Metric, What: q.What, Unit: "ms", At: document.Time(now.To), Bound: 2}
	for i := range now.Subject.System.Components {
		m.Components, m.Values = append(m.Components, now.Subject.System.Components[i].Name), append(m.Values, document.Number(i))
	}
	m.Values[0] = none
	return m, p.site.Fails
}
