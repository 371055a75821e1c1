package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// recorder holds the goroutines that store the rows of one stage (version of the plan) in the
// history.
type recorder struct {
	stop context.CancelFunc
	all  sync.WaitGroup
}

// end stops the goroutines, and waits until they have ended.
func (r *recorder) end() {
	if r.stop != nil {
		r.stop()
		r.all.Wait()
		r.stop = nil
	}
}

// keepRows starts to store measured values for plots. It joins the steps of all partitions into
// rows of the whole system. The history ignores rows that it already has.
func (g *Gather) keepRows(ctx context.Context) error {
	if !g.o.Plots {
		return nil
	}
	join := plan.NewJoin(g.stage.Generation, g.stage.System, g.announcer.Subject.Schema, g.stage.LateTime())
	for generation := range g.stage.Generation {
		was, err := g.o.Stages.StageOf(ctx, generation)
		if err != nil {
			return err
		}
		join.AcceptEarlier(generation, was.System, g.announcer.Subject.Schema)
	}
	var readers []bus.Reader
	for _, name := range g.stage.Names() {
		r, err := g.logs[name].Read(ctx, 0)
		if err != nil {
			return err
		}
		readers = append(readers, r)
	}
	ctx, stop := context.WithCancel(ctx)
	g.record.stop = stop
	stages, latest, steps := g.o.Stages.Reader(ctx), g.stage.Generation, make(chan step)
	for i, name := range g.stage.Names() {
		g.record.all.Go(func() {
			defer readers[i].Close()
			if err := forwardSteps(ctx, readers[i], name, stages, latest, steps); err != nil {
				// After its own upgrade, this node reads all steps in the log again.
				g.store.Troubles.Check("history", fmt.Errorf("this node stores no more measured values for plots: %w: upgrade this node", err))
				stop()
			}
		})
	}
	g.record.all.Go(func() {
		for {
			select {
			case one := <-steps:
				g.writeRows(join, one)
			case <-ctx.Done():
				return
			}
		}
	})
	return nil
}

// step is one step of a server, and the time at which the log stored the step.
type step struct {
	data  []byte
	taken time.Time
}

// forwardSteps forwards the steps in the log of a partition. It replaces the server's index in the
// partition by the server's index in the whole system. It skips the steps of later generations
// (versions) of the system. When this node begins to use such a generation, it calls keepRows again,
// and reads the skipped steps. If a newer version of limpet has written a step, forwardSteps returns
// an error.
func forwardSteps(ctx context.Context, r bus.Reader, name string, stages plan.Reader, latest int, to chan<- step) error {
	for {
		one, err := r.Next(ctx)
		if err != nil {
			return nil
		}
		if one.Subject == commandSubject || one.Subject == stageSubject {
			continue
		}
		generation, err := plan.Generation(one.Data)
		if errors.Is(err, plan.ErrNewer) {
			return err
		}
		if err != nil || generation > latest {
			continue // the task of the partition reports the error
		}
		stage, err := stages.StageOf(generation)
		if err != nil {
			return nil
		}
		of := stage.Find(name)
		if of == nil {
			continue
		}
		data, err := plan.Moved(one.Data, of.Servers)
		if err != nil {
			continue
		}
		select {
		case to <- step{data, one.Time}:
		case <-ctx.Done():
			return nil
		}
	}
}

func (g *Gather) writeRows(join *plan.Join, s step) {
	err := join.Take(s.data, s.taken, func(row *table.Row) {
		if err := g.store.History.Row(row); err != nil {
			g.o.Warn(fmt.Sprintf("the history cannot be saved: %v", err))
		}
	})
	if err != nil {
		g.o.Warn(fmt.Sprintf("the history cannot be saved: %v", err))
	}
}
