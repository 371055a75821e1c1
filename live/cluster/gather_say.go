package cluster

import (
	"context"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// Say puts a word on the logs of the partitions that it is about. It is kept when Say
// has returned, and acts between two rows of each; every node then hears of it.
func (g *Gather) Say(ctx context.Context, one engine.Command) (at int64, err error) {
	stage, about, err := g.understand(ctx, &one)
	if err != nil {
		return 0, err
	}
	for i := range stage.Division.Partitions {
		p := &stage.Division.Partitions[i]
		mine := one
		for _, c := range about {
			if slices.Contains(p.Was, c) {
				mine.Components = append(mine.Components, stage.System.Components[c].Name)
			}
		}
		if len(mine.Components) == 0 {
			continue
		}
		if err := g.send(ctx, p.Name, &mine); err != nil {
			return 0, fmt.Errorf("the word cannot be kept: %w", err)
		}
	}
	return one.Time, nil
}

func (g *Gather) send(ctx context.Context, to string, w *engine.Command) error {
	data, err := Encode(w)
	if err != nil {
		return err
	}
	log, err := g.o.Bus.Logs.Open(ctx, rowsLog(to), g.o.Keep.Rows)
	if err != nil {
		return err
	}
	return log.Append(ctx, bus.Record{Subject: wordSubject, ID: w.Key, Data: data})
}

// understand finds out which components a word is about.
func (g *Gather) understand(ctx context.Context, one *engine.Command) (*plan.Stage, []int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stage == nil {
		return nil, nil, &announce.RefusedWord{Text: g.waiting()}
	}
	now := g.o.Now()
	one.Key, one.Time = fmt.Sprintf("%s %d", g.o.Node, now.UnixNano()), max(now.Unix(), g.merged.To)
	about, past, err := g.tell.About(ctx, g.stage.System, g.merged.Incidents, one)
	if err != nil || past == nil {
		return g.stage, about, err
	}
	if about = g.stage.System.Match(past.Place.Name); len(about) == 0 {
		about = []int{0} // whichever partition passes it on
	}
	return g.stage, about, nil
}
