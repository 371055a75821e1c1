package cluster

import (
	"context"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// Apply appends an operator's command to the log of every partition that has at least one component
// of the command. When Apply returns, the command is stored in the logs. The task of each of these
// partitions then executes the command between two rows, and passes the command on to all nodes.
// Apply returns the Unix time of the command.
func (g *Gather) Apply(ctx context.Context, c command.Command) (at int64, err error) {
	stage, components, err := g.complete(ctx, &c)
	if err != nil {
		return 0, err
	}
	for i := range stage.Division.Partitions {
		p := &stage.Division.Partitions[i]
		part := c
		for _, n := range components {
			if slices.Contains(p.WholeIndexes, n) {
				part.Components = append(part.Components, stage.System.Components[n].Name)
			}
		}
		if len(part.Components) == 0 {
			continue
		}
		if err := g.send(ctx, p.Name, &part); err != nil {
			return 0, fmt.Errorf("the operator's command cannot be saved: %w", err)
		}
	}
	return c.Time, nil
}

// send appends a command to the log of a partition.
func (g *Gather) send(ctx context.Context, partition string, c *command.Command) error {
	data, err := Encode(c)
	if err != nil {
		return err
	}
	log, err := g.o.Bus.Logs.Open(ctx, rowsLog(partition), g.o.LogRetention.Rows)
	if err != nil {
		return err
	}
	return log.Append(ctx, bus.Record{Subject: commandSubject, ID: c.Key, Data: data})
}

// complete fills in the key and the time of a command. It returns the present stage (version of the
// plan), and the indexes of the command's components in the system of the stage.
func (g *Gather) complete(ctx context.Context, c *command.Command) (*plan.Stage, []int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stage == nil {
		return nil, nil, &announce.RefusedCommand{Text: g.waiting()}
	}
	now := g.o.Now()
	c.Key, c.Time = fmt.Sprintf("%s %d", g.o.Node, now.UnixNano()), max(now.Unix(), g.merged.To)
	components, past, err := g.store.Components(ctx, g.stage.System, g.merged.Incidents, c)
	if err != nil || past == nil {
		return g.stage, components, err
	}
	if components = g.stage.System.Match(past.Place.Name); len(components) == 0 {
		components = []int{0} // the place of the incident was removed from the system: the partition of component 0 passes the command on
	}
	return g.stage, components, nil
}
