package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/topology"
)

// Stage is the plan for one system, and the partitions into which the system is divided.
type Stage struct {
	Plan
	*Division
}

// WholeSchema returns the schema of rows about the whole system.
func (s *Stage) WholeSchema() (table.Schema, error) { return s.Schema(s.System) }

// Stages holds the stages of a cluster: one stage for each generation of the system. A stage is
// read from the bus (the storage that all nodes share) when it is needed. A stage never changes.
// Several goroutines may use Stages.
type Stages struct {
	bus *bus.Bus

	mu    sync.Mutex // guards all fields below
	log   bus.Log    // nil if it is not open yet
	known []*Stage   // stages that were read from the bus so far, by generation
}

// NewStages returns a reader and writer of the stages that are stored on a bus.
func NewStages(b *bus.Bus) *Stages { return &Stages{bus: b} }

// log is the name of the log of plans. Each record of a log has a subject, which is a name. The
// subject of a plan is made of its generation. If two nodes change the system at the same time,
// they make plans of the same generation. Stages.put writes a plan only if the log has no record
// with its subject yet. So only one of the two plans is stored.
const log = "plan"

func subject(generation int) string { return "g" + strconv.Itoa(generation) }

// content is the system of a stage, and the partitions into which the system is divided. It is
// stored as a blob, because it may be too large for a record of the log.
type content struct {
	System     json.RawMessage   `json:"system"`
	Partitions []string          `json:"partitions"`
	Homes      map[string]string `json:"homes"` // by server name: name of the server's partition
}

// blob returns the name of the blob that holds the system of a stage.
func (p *Plan) blob() string { return fmt.Sprintf("system.%d.%s", p.Generation, p.Topology) }

// Latest returns the present stage. It returns bus.ErrNone if there is no plan yet.
func (c *Stages) Latest(ctx context.Context) (*Stage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch more, err := c.readOne(ctx); {
		case err != nil:
			return nil, err
		case more:
		case len(c.known) == 0:
			return nil, bus.ErrNone
		default:
			return c.known[len(c.known)-1], nil
		}
	}
}

// StageOf returns the stage of a generation. If there is no plan yet, StageOf waits until there is
// a plan, or until the context ends. If the generation is later than the latest stage, StageOf
// returns an error. limpet cannot cause this case, because a node writes a stage before it sends
// messages of the stage's generation. StageOf does not wait in this case. Otherwise a foreign
// program that writes to the bus could stop this node.
func (c *Stages) StageOf(ctx context.Context, generation int) (*Stage, error) {
	for {
		latest, err := c.latestFor(ctx, generation)
		switch {
		case err == nil && generation >= 0 && generation <= latest.Generation:
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.known[generation], nil
		case err == nil:
			return nil, fmt.Errorf("data from NATS belong to topology number %d of the cluster, but the latest topology has number %d: check which other program writes to NATS", generation, latest.Generation)
		case !wait(ctx):
			return nil, errors.Join(ctx.Err(), err)
		}
	}
}

// latestFor returns a stage of the given generation or a later one. If the stage of this generation
// was read before, latestFor returns the latest stage that was read so far. Otherwise it reads the
// latest stage from the bus.
func (c *Stages) latestFor(ctx context.Context, generation int) (*Stage, error) {
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	if generation >= 0 && generation < len(known) {
		return known[len(known)-1], nil
	}
	return c.Latest(ctx)
}

// First returns the first stage that has a partition with the given name.
func (c *Stages) First(ctx context.Context, partition string) (*Stage, error) {
	latest, err := c.Latest(ctx)
	if err != nil {
		return nil, err
	}
	for g := range latest.Generation + 1 {
		if s, err := c.StageOf(ctx, g); err != nil || s.Find(partition) != nil {
			return s, err
		}
	}
	return nil, fmt.Errorf("the cluster has no partition %s: check which other program writes to NATS", partition)
}

// Reader reads stages for callers without a context.
type Reader struct {
	StageOf func(generation int) (*Stage, error)
	First   func(partition string) (*Stage, error)
}

// Reader returns a reader for stages. The functions of the reader stop waiting when the context
// ends.
func (c *Stages) Reader(ctx context.Context) Reader {
	return Reader{
		StageOf: func(generation int) (*Stage, error) { return c.StageOf(ctx, generation) },
		First:   func(partition string) (*Stage, error) { return c.First(ctx, partition) },
	}
}

// readOne reads the next stage. It returns false if there is no next stage yet.
func (c *Stages) readOne(ctx context.Context) (more bool, err error) {
	if c.log == nil {
		if c.log, err = c.bus.Logs.Open(ctx, log, 0); err != nil {
			return false, err
		}
	}
	r, err := c.log.Last(ctx, subject(len(c.known)))
	if errors.Is(err, bus.ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	s, err := c.parse(ctx, r.Data)
	if err == nil {
		c.known = append(c.known, s)
	}
	return err == nil, err
}

func (c *Stages) parse(ctx context.Context, text []byte) (*Stage, error) {
	var s Stage
	if err := json.Unmarshal(text, &s.Plan); err != nil {
		return nil, err
	}
	if s.Version != version {
		return nil, fmt.Errorf("the settings of the cluster in NATS have format %d, which this version of limpet does not know: run the same version of limpet on all nodes", s.Version)
	}
	data, err := c.bus.Blobs.Get(ctx, s.blob())
	if err != nil {
		return nil, fmt.Errorf("the topology of the cluster in NATS cannot be read: %w", err)
	}
	var has content
	if err := json.Unmarshal(data, &has); err != nil {
		return nil, err
	}
	system, err := topology.Kept(has.System)
	if err != nil {
		return nil, err
	}
	s.Division = newDivision(system, has.Partitions, has.Homes)
	s.Topology, err = hashOf(system) // another version of limpet may have written the stage, and may compute another hash
	return &s, err
}

// put writes a stage. It returns bus.ErrConflict if another node has written this stage already.
func (c *Stages) put(ctx context.Context, s *Stage) error {
	system, err := s.System.Keep()
	if err != nil {
		return err
	}
	data, err := json.Marshal(content{system, s.Names(), s.homes()})
	if err != nil {
		return err
	}
	if err := c.bus.Blobs.Put(ctx, s.blob(), data); err != nil {
		return err
	}
	text, err := json.Marshal(s.Plan)
	if err != nil {
		return err
	}
	l, err := c.bus.Logs.Open(ctx, log, 0)
	if err == nil {
		_, err = l.Put(ctx, bus.Record{Subject: subject(s.Generation), Data: text}, 0)
	}
	return err
}

// lookEvery is the interval at which a node that waits for a stage reads the bus.
const lookEvery = 200 * time.Millisecond

// wait waits for lookEvery and returns true. It returns false if the context ends earlier.
func wait(ctx context.Context) bool {
	select {
	case <-time.After(lookEvery):
		return true
	case <-ctx.Done():
		return false
	}
}
