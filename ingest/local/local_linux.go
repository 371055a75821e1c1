package local

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/record/agent"
)

// Open begins to sample this machine.
func Open(ctx context.Context, o Options) (*Source, error) {
	a := agent.DefaultOptions()
	a.Record.Dir, a.Kernel.Devices, a.NoLatency = o.Dir, o.Devices, o.NoLatency
	a.NoTCP = o.Dir == "" // connections are sampled only for a recording, because the rows of one machine have no metrics of connections
	if err := a.Kernel.Validate(); err != nil {
		return nil, err
	}
	rows, err := activity.NewLocal(a.Record.File.Hostname, o.Activity)
	if err != nil {
		return nil, err
	}
	s := &Source{Local: rows, ended: make(chan struct{})}
	ctx, s.stop = context.WithCancel(ctx)
	go func() {
		defer close(s.ended)
		// A panic ends the source with an error, so that a program that shows the rows can first
		// restore the terminal.
		defer func() {
			if p := recover(); p != nil {
				rows.End(fmt.Errorf("limpet could not read the counters of this machine: %v: this is a fault of limpet; please report this error", p))
			}
		}()
		rows.End(agent.Observe(ctx, a, slog.New(&s.remarks), func(v *agent.Observation) {
			rows.Take(v.Time, v.Uptime, v.Disks, v.Latencies, v.Inventory)
		}))
	}()
	return s, nil
}
