package serve

import (
	"context"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/topology"
)

// diagnosis is the core of a service: the watch of this process, or this node of a cluster.
type diagnosis interface {
	Run(ctx context.Context) error
	Close() error
	diagnosisState
	diagnosisCommands
}

// diagnosisState has the methods that read the state of a diagnosis.
type diagnosisState interface {
	Result() *watch.Result
	Ledger() *ledger.Ledger
	History() *history.Store
	Backup(ctx context.Context, dir string) error
}

// diagnosisCommands has the methods that change a diagnosis.
type diagnosisCommands interface {
	Apply(ctx context.Context, c command.Command) (at int64, err error)
	Audit(ctx context.Context, a ledger.Audit) error
	SetSystem(s *topology.System)
	SetAlerts(ctx context.Context, o alert.Options) error
}

// begin opens the watch, or joins the cluster that the configuration names.
func (s *Service) begin(ctx context.Context, w watch.Options) (diagnosis, error) {
	if s.config.Cluster == nil {
		one, err := watch.Open(ctx, w)
		if err != nil {
			return nil, err
		}
		return one, nil
	}
	node, err := cluster.Open(ctx, *s.config.Cluster, w)
	if err != nil {
		return nil, err
	}
	return node, nil
}
