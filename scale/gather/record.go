package gather

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/scale/partition"
	"github.com/limpet-storage/limpet/scale/wire"
	"github.com/limpet-storage/limpet/table"
)

// record keeps what was measured, for plots: the rows of all partitions, joined into rows
// of the whole. Those that the history has are left out by it.
func (g *Gather) record(ctx context.Context) error {
	if !g.o.Plots {
		return nil
	}
	join := wire.NewJoin(g.division.System, g.speaker.Subject.Schema, time.Duration(g.o.Terms.LateSeconds)*time.Second)
	steps := make(chan step)
	var reading sync.WaitGroup
	for i := range g.division.Partitions {
		p := &g.division.Partitions[i]
		r, err := g.logs[p.Name].Read(ctx, 0)
		if err != nil {
			return endedBy(ctx, err)
		}
		reading.Go(func() {
			defer r.Close()
			pass(ctx, r, p.Servers, steps)
		})
	}
	defer reading.Wait()
	for {
		select {
		case one := <-steps:
			g.keep(join, one)
		case <-ctx.Done():
			return nil
		}
	}
}

// step is one of a server, and when the log took it.
type step struct {
	data  []byte
	taken time.Time
}

// pass hands steps on, with the places that servers have in the whole.
func pass(ctx context.Context, r bus.Reader, servers []int, to chan<- step) {
	for {
		one, err := r.Next(ctx)
		if err != nil {
			return
		}
		if one.Subject == partition.WordSubject {
			continue
		}
		data, err := wire.Moved(one.Data, servers)
		if err != nil {
			continue // whoever judges the partition says so
		}
		select {
		case to <- step{data, one.Time}:
		case <-ctx.Done():
			return
		}
	}
}

func (g *Gather) keep(join *wire.Join, s step) {
	err := join.Take(s.data, s.taken, func(row *table.Row) {
		if err := g.tell.History.Row(row); err != nil {
			g.o.Report(fmt.Sprintf("history: %v", err))
		}
	})
	if err != nil {
		g.o.Report(fmt.Sprintf("history: %v", err))
	}
}
