// This file is a node that reads what servers record, and puts each step of a server
// on the log of its partition.
//
// It remembers nothing: the log says how far each server has come, and the files are
// read from there. A node that is killed between two steps sends one of them again; the
// log knows it by its ID, and whoever joins steps knows it by its time.

package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
	"github.com/limpet-storage/limpet/topology"
)

// IngestOptions are what a node needs.
type IngestOptions struct {
	Bus    *bus.Bus
	Stages *plan.Stages
	Terms  plan.Terms
	Keep   Keep
	// After is called behind each row; nil: it is not.
	After  func(end int64)
	Report func(sentence string)
}

// Source is where rows come from. It returns collect.ErrChanged where the system has
// changed, and first of all.
type Source interface {
	System() *topology.System
	Schema() table.Schema
	Next(context.Context) (*table.Row, error)
}

// node sends rows.
type node struct {
	o     IngestOptions
	stage *plan.Stage
	cut   *plan.Cut
	logs  []bus.Log       // by partition
	at    []int           // by server: its place in its partition
	to    []string        // by server: the subject of its steps
	sent  []int64         // by server: end of the last step in the log
	heard map[string]bool // by name: this node has it
}

// Sent is the end of the last row that is wholly in the logs, as far as this node can
// say without reading a file: the earliest of the last steps of some servers. Servers
// that were never heard do not count. It is 0 where there is none.
func Sent(ctx context.Context, o *IngestOptions, servers func(name string) bool) (int64, error) {
	stage, err := o.Stages.Latest(ctx)
	if errors.Is(err, bus.ErrNone) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n := &node{o: *o}
	if err := n.enter(ctx, stage); err != nil {
		return 0, err
	}
	first := int64(0)
	for s, name := range stage.System.Servers {
		if end := n.sent[s]; servers(name) && end > 0 && (first == 0 || end < first) {
			first = end
		}
	}
	return first, nil
}

// enter opens the logs of a stage, and finds out how far each server has come.
func (n *node) enter(ctx context.Context, stage *plan.Stage) error {
	servers := len(stage.System.Servers)
	n.stage, n.logs, n.at, n.to, n.sent = stage, nil, make([]int, servers), make([]string, servers), make([]int64, servers)
	for i := range stage.Division.Partitions {
		p := &stage.Division.Partitions[i]
		log, err := n.o.Bus.Logs.Open(ctx, rowsLog(p.Name), n.o.Keep.Rows)
		if err != nil {
			return err
		}
		n.logs = append(n.logs, log)
		for at, s := range p.Servers {
			n.at[s], n.to[s] = at, subject(stage.System.Servers[s])
			if n.sent[s], err = lastSent(ctx, log, n.to[s]); err != nil {
				return err
			}
		}
	}
	return nil
}

// lastSent is the end of the last step of a server in a log, 0 where there is none.
func lastSent(ctx context.Context, log bus.Log, subject string) (int64, error) {
	last, err := log.Last(ctx, subject)
	if errors.Is(err, bus.ErrNone) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return plan.End(last.Data)
}

// subject is where the steps of a server stand. Names of servers may have any characters,
// and those of subjects may not.
func subject(server string) string {
	sum := sha256.Sum256([]byte(server))
	return "s" + hex.EncodeToString(sum[:8])
}

// Run sends the rows of a source until it or the context ends.
func Run(ctx context.Context, o IngestOptions, from Source) error {
	n := &node{o: o, heard: map[string]bool{}}
	for {
		row, err := from.Next(ctx)
		switch {
		case errors.Is(err, ingest.ErrChanged):
			err = n.begin(ctx, from)
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			return nil
		case err == nil && n.cut == nil:
			if err = n.begin(ctx, from); err == nil {
				err = n.send(ctx, row)
			}
		case err == nil:
			err = n.send(ctx, row)
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
}

// begin agrees with the other nodes on what rows hold, and says in every log that steps
// of this system may follow: once for all nodes, by its ID, or as often as it takes.
func (n *node) begin(ctx context.Context, from Source) error {
	terms, schema := n.o.Terms, from.Schema()
	terms.System = from.System()
	if schema.Components != len(terms.System.Components) {
		return fmt.Errorf("rows have %d components and the topology %d: a cluster needs a topology that names them all", schema.Components, len(terms.System.Components))
	}
	stage, err := n.o.Stages.Agree(ctx, &terms, schema)
	if err != nil {
		return err
	}
	if err := n.enter(ctx, stage); err != nil {
		return err
	}
	whole, err := stage.Whole()
	if err != nil {
		return err
	}
	n.cut = plan.NewCut(stage.Generation, stage.System, whole)
	return n.announce(ctx)
}

// announce says which generation follows. The first one needs no word.
func (n *node) announce(ctx context.Context) error {
	if n.stage.Generation == 0 {
		return nil
	}
	data, err := Encode(n.stage.Generation)
	if err != nil {
		return err
	}
	for _, log := range n.logs {
		if err := log.Append(ctx, bus.Record{Subject: stageSubject, ID: fmt.Sprintf("stage %d", n.stage.Generation), Data: data}); err != nil {
			return err
		}
	}
	return nil
}

// send sends what servers have in a row, of those that this node hears.
func (n *node) send(ctx context.Context, row *table.Row) error {
	batch := make([][]bus.Record, len(n.logs))
	for s, name := range n.stage.System.Servers {
		if row.Heard == nil || row.Heard[s] {
			n.heard[name] = true
		}
		if !n.heard[name] || row.End <= n.sent[s] {
			continue
		}
		p := n.stage.Of[s]
		data := n.cut.Step(row, s, n.at[s])
		batch[p] = append(batch[p], bus.Record{Subject: n.to[s], ID: fmt.Sprintf("%s %d", n.to[s], row.End), Data: data})
		n.sent[s] = row.End
	}
	for p, records := range batch {
		if err := n.logs[p].Append(ctx, records...); err != nil {
			return err
		}
	}
	if n.o.After != nil {
		n.o.After(row.End)
	}
	return nil
}
