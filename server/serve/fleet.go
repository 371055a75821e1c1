package serve

import (
	"context"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/prevalence"
	"github.com/limpet-storage/limpet/topology"
)

// Fleet is how common limping was on the site.
func (s site) Fleet(_ context.Context, q api.FleetQuery) (*api.Fleet, error) {
	return s.fleet.Of(q.Days, s.watch.Result().To)
}

// hours opens the quarter hours of the history.
func (s site) hours(ctx context.Context, from, to int64) (table.Stream, *topology.System, error) {
	subject := s.watch.Result().Subject
	metrics, err := prevalence.Metrics(&subject.Schema, subject.Options.Metrics)
	if err != nil {
		return nil, nil, &api.Refusal{Text: err.Error()}
	}
	return s.watch.History().Quarters(ctx, subject.System, metrics, from, to), subject.System, nil
}
