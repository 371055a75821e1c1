package plan

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// Plan holds the settings on which all nodes agree.
type Plan struct {
	Version    int      `json:"version"`
	Identity   string   `json:"identity,omitempty"` // random text that identifies the cluster
	Generation int      `json:"generation"`         // number of changes of the system before this plan
	Topology   string   `json:"topology"`           // hash of the system
	Partitions int      `json:"partitions"`
	Step       int64    `json:"step_seconds"`
	Metrics    []string `json:"metrics"`
	Load       int      `json:"load"`
	Sparse     bool     `json:"sparse,omitempty"`
	Latencies  bool     `json:"latencies,omitempty"`
	Late       int64    `json:"late_seconds"` // longest time to wait for a server or a partition that sends nothing, in seconds
	Settings   string   `json:"settings"`     // hash of all options of the diagnosis; only earlier versions of limpet compare this hash
	Chosen     string   `json:"chosen"`       // hash of the options that differ from the defaults; empty in a plan of an earlier version
}

// Terms are the settings of a node that must be the same on all nodes.
type Terms struct {
	System      *topology.System
	Partitions  int
	LateSeconds int64
	Diagnose    engine.Options
}

const version = 2

// New returns a plan from the settings of a node and the schema of its rows. The plan has a new
// random identity.
func New(t *Terms, schema table.Schema) (Plan, error) {
	topology, err := hashOf(t.System)
	if err != nil {
		return Plan{}, err
	}
	settings, chosen, err := t.settings()
	p := Plan{
		Version: version, Identity: rand.Text(), Topology: topology, Partitions: t.Partitions, Late: t.LateSeconds, Settings: settings, Chosen: chosen, Step: schema.StepSeconds, Load: schema.Load, Sparse: schema.Sparse, Latencies: schema.Latencies,
	}
	for _, m := range schema.Metrics {
		p.Metrics = append(p.Metrics, m.Name)
	}
	return p, err
}

// hashOf returns the hash of a system. The hash does not depend on the path of the topology file.
func hashOf(s *topology.System) (string, error) {
	copied := *s
	copied.File = ""
	text, err := copied.Keep()
	return hash(text), err
}

// settings returns two hashes: the hash of all options of the diagnosis, and the hash of the options
// that differ from the defaults of this version of limpet. Fits compares the second hash, because
// nodes of different versions may have different defaults.
func (t *Terms) settings() (all, chosen string, err error) {
	options, err := json.Marshal(t.Diagnose)
	if err != nil {
		return "", "", err
	}
	differ, err := json.Marshal(t.Diagnose.Chosen())
	return hash(options), hash(differ), err
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Schema returns the schema of rows about a system or about a part of a system.
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

// LateTime returns the longest time to wait for a server or a partition that sends nothing.
func (p *Plan) LateTime() time.Duration { return time.Duration(p.Late) * time.Second }

// Fits returns an error with the reason why a node cannot take part in the cluster. It returns nil
// if the node can take part. Fits does not check the topology.
func (p *Plan) Fits(t *Terms) error {
	_, chosen, err := t.settings()
	switch {
	case err != nil:
		return err
	case p.Version != version:
		return fmt.Errorf("the settings of the cluster in NATS have format %d, which this version of limpet does not know: run the same version of limpet on all nodes", p.Version)
	case p.Chosen != "" && chosen != p.Chosen:
		return errors.New("the diagnosis of this node has other thresholds than the cluster: write the same section \"diagnosis\" in the configuration of all nodes. Or write another name of the cluster, to start a new cluster with these thresholds")
	case p.Partitions != t.Partitions || p.Late != t.LateSeconds:
		return fmt.Errorf("this node has %d partitions and waits %d s for late data, but the cluster has %d partitions and waits %d s: write the same values in the configuration of all nodes", t.Partitions, t.LateSeconds, p.Partitions, p.Late)
	}
	return nil
}

// checkCompatible returns an error if rows of plan q cannot be mixed with rows of this plan.
func (p *Plan) checkCompatible(q *Plan) error {
	if p.Step != q.Step || p.Load != q.Load || p.Sparse != q.Sparse || p.Latencies != q.Latencies || !slices.Equal(p.Metrics, q.Metrics) {
		return fmt.Errorf("this node has the metrics %v every %d s, but the cluster has the metrics %v every %d s: record the same metrics on all servers, and use the same time step on all nodes", english.List(q.Metrics), q.Step, english.List(p.Metrics), p.Step)
	}
	return nil
}
