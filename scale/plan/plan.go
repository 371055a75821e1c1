// Package plan is what all nodes of a cluster have to agree on: the system, what rows
// hold, and how the system is divided.
//
// The first node that reads data writes the plan down; every other one holds its own
// configuration against it and refuses to begin with another. So no two nodes ever take
// one component for another.
package plan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Plan is what nodes agree on.
type Plan struct {
	Version    int      `json:"version"`
	Topology   string   `json:"topology"` // hash of the system
	Partitions int      `json:"partitions"`
	Step       int64    `json:"step_seconds"`
	Metrics    []string `json:"metrics"`
	Load       int      `json:"load"`
	Sparse     bool     `json:"sparse,omitempty"`
	Latencies  bool     `json:"latencies,omitempty"`
	Late       int64    `json:"late_seconds"` // that a server is waited for which sends nothing
	Settings   string   `json:"settings"`     // hash of the bounds of the diagnosis
}

// Terms are what a node is told, and has to have in common with the others.
type Terms struct {
	System      *topology.System
	Partitions  int
	LateSeconds int64
	Diagnose    diagnose.Options
}

const version = 1

// New is the plan for rows of a schema.
func New(t *Terms, schema table.Schema) (Plan, error) {
	topology, settings, err := t.hashes()
	p := Plan{
		Version: version, Topology: topology, Partitions: t.Partitions, Late: t.LateSeconds, Settings: settings, Step: schema.StepSeconds, Load: schema.Load, Sparse: schema.Sparse, Latencies: schema.Latencies,
	}
	for _, m := range schema.Metrics {
		p.Metrics = append(p.Metrics, m.Name)
	}
	return p, err
}

// hashes are those of the system, wherever its file stands, and of the bounds.
func (t *Terms) hashes() (system, settings string, err error) {
	copied := *t.System
	copied.File = ""
	text, err := copied.Keep()
	if err != nil {
		return "", "", err
	}
	bounds, err := json.Marshal(t.Diagnose)
	return hash(text), hash(bounds), err
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Schema is that of rows about a system, or a part of it.
func (p *Plan) Schema(s *topology.System) (table.Schema, error) {
	schema := table.Schema{StepSeconds: p.Step, Components: len(s.Components), Servers: len(s.Servers), Load: p.Load, Sparse: p.Sparse, Latencies: p.Latencies}
	for _, name := range p.Metrics {
		m, err := metric.Lookup(name)
		if err != nil {
			return schema, err
		}
		schema.Metrics = append(schema.Metrics, m)
	}
	return schema, nil
}

// LateTime is how long a server, or a partition, that says nothing is waited for.
func (p *Plan) LateTime() time.Duration { return time.Duration(p.Late) * time.Second }

// Fits says why a node cannot take part.
func (p *Plan) Fits(t *Terms) error {
	system, settings, err := t.hashes()
	switch {
	case err != nil:
		return err
	case p.Version != version:
		return fmt.Errorf("the cluster's plan has version %d, which this limpet does not know: run the same version on all nodes", p.Version)
	case system != p.Topology:
		return fmt.Errorf("the topology of this node (%s) is not that of the cluster (%s): give all nodes the same file, or call the cluster otherwise", system, p.Topology)
	case settings != p.Settings:
		return errors.New("the diagnosis of this node has other bounds than the cluster's: write the same section diagnosis on all nodes, or call the cluster otherwise")
	case p.Partitions != t.Partitions || p.Late != t.LateSeconds:
		return fmt.Errorf("this node has %d partitions and waits %d s for late steps, the cluster %d and %d s: write the same on all nodes", t.Partitions, t.LateSeconds, p.Partitions, p.Late)
	}
	return nil
}

// same says why rows of another plan cannot be put beside those of this one.
func (p *Plan) same(q *Plan) error {
	if p.Step != q.Step || p.Load != q.Load || p.Sparse != q.Sparse || p.Latencies != q.Latencies || !slices.Equal(p.Metrics, q.Metrics) {
		return fmt.Errorf("rows of this node (every %d s, %v) are not those of the cluster (every %d s, %v): measure the same on all servers, and write the same step", q.Step, q.Metrics, p.Step, p.Metrics)
	}
	return nil
}

// The log that the plan stands in.
const (
	log     = "plan"
	subject = "plan"
)

// Agree writes the plan for rows of a schema down, or says why it does not go with the
// one that stands.
func Agree(ctx context.Context, logs bus.Logs, t *Terms, schema table.Schema) (Plan, error) {
	l, err := logs.Open(ctx, log, 0)
	if err != nil {
		return Plan{}, err
	}
	mine, err := New(t, schema)
	if err != nil {
		return mine, err
	}
	text, err := json.Marshal(mine)
	if err != nil {
		return mine, err
	}
	_, err = l.Put(ctx, bus.Record{Subject: subject, Data: text}, 0)
	if !errors.Is(err, bus.ErrConflict) {
		return mine, err
	}
	known, err := read(ctx, l)
	if err != nil {
		return mine, err
	}
	return known, errors.Join(known.Fits(t), known.same(&mine))
}

// Known is the plan that stands, or bus.ErrNone.
func Known(ctx context.Context, logs bus.Logs) (Plan, error) {
	l, err := logs.Open(ctx, log, 0)
	if err != nil {
		return Plan{}, err
	}
	return read(ctx, l)
}

func read(ctx context.Context, l bus.Log) (p Plan, err error) {
	r, err := l.Last(ctx, subject)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(r.Data, &p)
}

// lookEvery is how often a node looks for a plan.
const lookEvery = 200 * time.Millisecond

// Await waits for a plan, and says why it does not go with what a node is told.
func Await(ctx context.Context, logs bus.Logs, t *Terms) (Plan, error) {
	for {
		p, err := Known(ctx, logs)
		if err == nil {
			return p, p.Fits(t)
		}
		if !errors.Is(err, bus.ErrNone) {
			return p, err
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return p, ctx.Err()
		}
	}
}
