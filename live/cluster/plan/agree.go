package plan

import (
	"context"
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/topology"
)

// Agree returns the stage (version of the plan) that has the system of this node. If there is no
// plan yet, Agree first writes a plan for rows of the given schema. If the settings of the node do
// not fit the existing plan, Agree returns an error with the reason.
func (c *Stages) Agree(ctx context.Context, t *Terms, schema table.Schema) (*Stage, error) {
	mine, err := New(t, schema)
	if err != nil {
		return nil, err
	}
	err = bus.ErrConflict
	if _, none := c.Latest(ctx); errors.Is(none, bus.ErrNone) {
		err = c.put(ctx, &Stage{mine, Divide(t.System, t.Partitions)})
	}
	if err != nil && !errors.Is(err, bus.ErrConflict) {
		return nil, err
	}
	known, err := c.Fit(ctx, t)
	if err != nil {
		return nil, err
	}
	return known, known.checkCompatible(&mine)
}

// Fit returns the newest stage that has the same system as the node. It returns bus.ErrNone if
// there is no plan. Any other error describes why the node cannot take part in the cluster.
func (c *Stages) Fit(ctx context.Context, t *Terms) (*Stage, error) {
	latest, err := c.Latest(ctx)
	if err != nil {
		return nil, err
	}
	if err := latest.Fits(t); err != nil {
		return nil, err
	}
	system, err := hashOf(t.System)
	if err != nil {
		return nil, err
	}
	for g := latest.Generation; g >= 0; g-- {
		s, err := c.StageOf(ctx, g)
		if err != nil || s.Topology == system {
			return s, err
		}
	}
	return nil, fmt.Errorf("the topology of this node (hash %s) differs from the topology of the cluster (hash %s): give all nodes the same topology file. To change the topology of the cluster, write the new file on one running node, and send SIGHUP to limpet serve there", system, latest.Topology)
}

// Await waits for a plan, and checks that the plan fits the node's settings. It returns the present
// stage, even if the topology of the node belongs to an earlier stage.
func (c *Stages) Await(ctx context.Context, t *Terms) (*Stage, error) {
	for {
		_, err := c.Fit(ctx, t)
		if err == nil {
			return c.Latest(ctx)
		}
		if !errors.Is(err, bus.ErrNone) {
			return nil, err
		}
		if !wait(ctx) {
			return nil, ctx.Err()
		}
	}
}

// Change makes another system the next stage of the plan. If the system is equal to the system of
// the present stage, Change writes nothing.
func (c *Stages) Change(ctx context.Context, system *topology.System) (*Stage, error) {
	hash, err := hashOf(system)
	if err != nil {
		return nil, err
	}
	for {
		latest, err := c.Latest(ctx)
		if errors.Is(err, bus.ErrNone) {
			return nil, errors.New("the topology of the cluster cannot be changed yet, because no node has read any data: start all nodes with the new topology")
		}
		if err != nil || latest.Topology == hash {
			return latest, err
		}
		next := &Stage{latest.Plan, latest.Next(system, latest.Plan.Partitions)}
		next.Generation, next.Topology = latest.Generation+1, hash
		if err := c.put(ctx, next); err == nil || !errors.Is(err, bus.ErrConflict) {
			return next, err
		}
	}
}
