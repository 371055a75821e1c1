package gather

import (
	"context"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/machine"
	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/scale/partition"
	"github.com/limpet-storage/limpet/telling"
)

// Say puts a word on the logs of the partitions that it is about. It is kept when Say
// has returned, and acts between two rows of each; every node then hears of it.
func (g *Gather) Say(ctx context.Context, one machine.Word) (at int64, err error) {
	about, err := g.understand(ctx, &one)
	if err != nil {
		return 0, err
	}
	for i := range g.division.Partitions {
		p := &g.division.Partitions[i]
		mine := one
		for _, c := range about {
			if slices.Contains(p.Was, c) {
				mine.Components = append(mine.Components, g.division.System.Components[c].Name)
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

func (g *Gather) send(ctx context.Context, to string, w *machine.Word) error {
	data, err := partition.Encode(w)
	if err != nil {
		return err
	}
	return g.logs[to].Append(ctx, bus.Record{Subject: partition.WordSubject, ID: w.Key, Data: data})
}

// understand finds out which components a word is about.
func (g *Gather) understand(ctx context.Context, one *machine.Word) ([]int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.division == nil {
		return nil, &telling.RefusedWord{Text: g.waiting()}
	}
	now := g.o.Now()
	one.Key, one.Time = fmt.Sprintf("%s %d", g.o.Node, now.UnixNano()), max(now.Unix(), g.merged.To)
	about, past, err := g.tell.About(ctx, g.division.System, g.merged.Incidents, one)
	if err != nil || past == nil {
		return about, err
	}
	if about = g.division.System.Match(past.Place.Name); len(about) == 0 {
		about = []int{0} // whichever partition passes it on
	}
	return about, nil
}
