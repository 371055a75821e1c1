package sitetest

import (
	"context"
	"io"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/topology"
)

// Fleet returns how common limping was in the hours of the simulated system.
func (p *formulaPlots) Fleet(_ context.Context, q api.FleetQuery) (*api.Fleet, error) {
	return p.fleet.Of(q.Days, p.site.Result().To)
}

// hours is a stream of rows of the world, one for each hour.
type hours struct {
	ctx     context.Context
	world   *world
	schema  table.Schema
	row     table.Row
	at, end int64
}

func (p *formulaPlots) hours(ctx context.Context, from, to int64) (table.Stream, *topology.System, error) {
	system := p.world.system
	longest := int64(30 * day)
	if len(system.Components) > 10_000 {
		longest = 7 * day // limited, because every number is computed again
	}
	h := &hours{
		ctx: ctx, world: p.world, at: max(from, to-longest), end: to,
		schema: table.Schema{StepSeconds: hour, Metrics: []metric.Metric{metric.Await, metric.TPS}, Components: len(system.Components), Load: -1},
	}
	for range h.schema.Metrics {
		h.row.Values = append(h.row.Values, make([]float64, len(system.Components)))
	}
	return h, system, nil
}

// Schema returns the schema of the rows.
func (h *hours) Schema() table.Schema { return h.schema }

// Next returns the row of the next hour.
func (h *hours) Next() (*table.Row, error) {
	if h.at += hour; h.at > h.end {
		return nil, io.EOF
	}
	for m, one := range h.schema.Metrics {
		for c := range h.row.Values[m] {
			h.row.Values[m][c] = h.world.mean(c, one.Name, h.at)
		}
	}
	h.row.End = h.at
	return &h.row, h.ctx.Err()
}

// mean returns the mean of a metric of a component over the hour that ends at a time. It computes
// only some of the steps.
func (w *world) mean(component int, name string, at int64) float64 {
	const steps = 12
	sum, n := 0.0, 0
	for i := range int64(steps) {
		if v := w.value(component, name, at-i*hour/steps); v == v {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return table.Missing
	}
	return sum / float64(n)
}
