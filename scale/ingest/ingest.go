// Package ingest is a node that reads what servers record, and puts each step of a server
// on the log of its partition.
//
// It remembers nothing: the log says how far each server has come, and the files are
// read from there. A node that is killed between two steps sends one of them again; the
// log knows it by its ID, and whoever joins steps knows it by its time.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/scale/plan"
	"github.com/limpet-storage/limpet/scale/wire"
	"github.com/limpet-storage/limpet/scale/worker"
	"github.com/limpet-storage/limpet/table"
)

// Options are what a node needs.
type Options struct {
	Bus   *bus.Bus
	Terms plan.Terms
	Keep  worker.Keep
	// After is called behind each row; nil: it is not.
	After  func(end int64)
	Report func(sentence string)
}

// Source is where rows come from. It returns collect.ErrChanged where the system has
// changed, and first of all.
type Source interface {
	Schema() table.Schema
	Next(context.Context) (*table.Row, error)
}

// Node sends rows.
type Node struct {
	o        Options
	division *plan.Division
	cut      *wire.Cut
	logs     []bus.Log // by partition
	at       []int     // by server: its place in its partition
	heard    []bool    // by server: this node has it
	sent     []int64   // by server: end of the last step in the log
}

// Sent is the end of the last row that is wholly in the logs, as far as this node can
// say without reading a file: the earliest of the last steps of some servers. Servers
// that were never heard do not count. It is 0 where there is none.
func Sent(ctx context.Context, o *Options, servers func(name string) bool) (int64, error) {
	n, err := open(ctx, o)
	if err != nil {
		return 0, err
	}
	first := int64(0)
	for s, name := range o.Terms.System.Servers {
		if end := n.sent[s]; servers(name) && end > 0 && (first == 0 || end < first) {
			first = end
		}
	}
	return first, nil
}

// open opens the logs, and finds out how far each server has come.
func open(ctx context.Context, o *Options) (*Node, error) {
	d := plan.Divide(o.Terms.System, o.Terms.Partitions)
	servers := len(o.Terms.System.Servers)
	n := &Node{o: *o, division: d, at: make([]int, servers), heard: make([]bool, servers), sent: make([]int64, servers)}
	for i := range d.Partitions {
		log, err := o.Bus.Logs.Open(ctx, worker.RowsLog(d.Partitions[i].Name), o.Keep.Rows)
		if err != nil {
			return nil, err
		}
		n.logs = append(n.logs, log)
		for at, s := range d.Partitions[i].Servers {
			n.at[s] = at
			last, err := log.Last(ctx, subject(at))
			if errors.Is(err, bus.ErrNone) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if n.sent[s], err = wire.End(last.Data); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

func subject(server int) string { return "s" + strconv.Itoa(server) }

// Run sends the rows of a source until it or the context ends.
func Run(ctx context.Context, o Options, from Source) error {
	n, err := open(ctx, &o)
	if err != nil {
		return err
	}
	for {
		row, err := from.Next(ctx)
		switch {
		case errors.Is(err, collect.ErrChanged):
			err = n.begin(ctx, from.Schema())
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			return nil
		case err == nil && n.cut == nil:
			if err = n.begin(ctx, from.Schema()); err == nil {
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

// begin agrees with the other nodes on what rows hold.
func (n *Node) begin(ctx context.Context, schema table.Schema) error {
	if schema.Components != len(n.o.Terms.System.Components) {
		return fmt.Errorf("rows have %d components and the topology %d: a cluster needs a topology that names them all", schema.Components, len(n.o.Terms.System.Components))
	}
	p, err := plan.Agree(ctx, n.o.Bus.Logs, &n.o.Terms, schema)
	if err != nil {
		return err
	}
	n.cut = nil
	whole, err := p.Schema(n.o.Terms.System)
	if err == nil {
		n.cut = wire.NewCut(n.o.Terms.System, whole)
	}
	return err
}

// send sends what servers have in a row, of those that this node hears.
func (n *Node) send(ctx context.Context, row *table.Row) error {
	batch := make([][]bus.Record, len(n.logs))
	for s := range n.sent {
		if row.Heard == nil || row.Heard[s] {
			n.heard[s] = true
		}
		if !n.heard[s] || row.End <= n.sent[s] {
			continue
		}
		p := n.division.Of[s]
		data := n.cut.Step(row, s, n.at[s])
		batch[p] = append(batch[p], bus.Record{Subject: subject(n.at[s]), ID: fmt.Sprintf("%d %d", n.at[s], row.End), Data: data})
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
