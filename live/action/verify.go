package action

import (
	"context"

	plan "github.com/limpet-storage/limpet/report/action"
)

// LatencyFunc returns the latencies of a part and of its peer group between two Unix times, in
// order of time. A step without requests has no sample.
type LatencyFunc func(ctx context.Context, component string, from, to int64) (plan.Latencies, error)

// verdict decides from the latencies before and after an action whether users wait less.
func (x *Executor) verdict(ctx context.Context, a *Action) (*plan.Verdict, error) {
	least := int64(x.o.latencyWindow.Seconds())
	l, err := x.o.Latency(ctx, a.Component, a.Began-max(a.Due-a.Masked, least), x.unix())
	if err != nil {
		return nil, err
	}
	return plan.Judge(&l, a.Began, a.Masked, least)
}
