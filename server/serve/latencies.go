package serve

import (
	"context"

	"github.com/limpet-storage/limpet/server/api"
)

// Latencies are how long the requests of a component and of its peers took.
func (s site) Latencies(_ context.Context, q api.LatenciesQuery) (*api.Latencies, error) {
	now := s.watch.Result()
	c, ok := now.Subject.System.Lookup(q.Component)
	if !ok {
		return nil, api.ErrNotFound
	}
	return api.NewLatencies(now.Requests, now.Subject.System, c, q), nil
}
