package sitetest

import (
	"context"
	"math"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/report/heatmap"
	"github.com/limpet-storage/limpet/server/api"
)

// mostRows is the largest number of rows in an answer. It is limited, because each row is
// computed by the formula of the world.
const mostRows = 240

// Latencies returns the latencies of a component and of its peers. A few requests of a slow
// component are much slower than the rest.
func (p *formulaPlots) Latencies(_ context.Context, q api.LatenciesQuery) (*api.Latencies, error) {
	system := p.world.system
	at, ok := system.Lookup(q.Component)
	if !ok {
		return nil, api.ErrNotFound
	}
	schema := table.Schema{StepSeconds: max(stepSeconds, (q.To-q.From)/mostRows), Components: len(system.Components), Latencies: true}
	kept, row := heatmap.New(schema), table.NewRow(schema)
	members := system.Groups[system.Components[at].Group-1].Members
	for row.End = q.From + schema.StepSeconds; row.End <= min(q.To, p.site.Result().To); row.End += schema.StepSeconds {
		for i, c := range members {
			if c == at || i%max(1, len(members)/sampledPeers) == 0 {
				p.world.requests(&row.LatencyOf(c)[blklat.Read], c, row.End)
			}
		}
		kept.Row(row)
	}
	return api.NewLatencies(kept, system, at, q), nil
}

// allRequests returns the requests of all components in one step.
func (p *formulaPlots) allRequests(at int64) *heatmap.Kept {
	schema := table.Schema{StepSeconds: stepSeconds, Components: len(p.world.system.Components), Latencies: true}
	kept, row := heatmap.New(schema), table.NewRow(schema)
	row.End = at
	for c := range p.world.system.Components {
		p.world.requests(&row.LatencyOf(c)[blklat.Read], c, at)
	}
	kept.Row(row)
	return kept
}

// requests adds the requests of a component in a step to r. Their latencies vary around the mean of
// the component.
func (w *world) requests(r *table.Requests, component int, at int64) {
	const drawn = 200
	r.Device = r.Device[:0]
	for i := range uint64(drawn) {
		ms := w.value(component, "await", at) * math.Exp(0.4*bell(uint64(component), uint64(at), 100+i))
		if w.slowness(component, at) > 1 && noise(uint64(component), uint64(at), 1000+i) < 0.01 {
			ms += 300
		}
		if !math.IsNaN(ms) {
			r.Device.Add(blklat.Histogram{{Bucket: uint16(blklat.Bucket(uint64(ms * 1e6))), Requests: 1}})
		}
	}
}
