// An ingest node reads activity files and appends each step of a server to the log of the server's
// partition. A step holds the values of the server's components for one step of the time grid.
//
// The node stores no state on disk. The log has the last step of each server. After a restart, the
// node reads the files from that step on. If a node is killed, it may send a step a second time
// after its restart. The log recognises the repeated step by its ID, and plan.Join recognises it by
// its end time.

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
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
	"github.com/limpet-storage/limpet/topology"
)

// IngestOptions are the settings of an ingest node.
type IngestOptions struct {
	Bus          *bus.Bus
	Stages       *plan.Stages
	Terms        plan.Terms
	LogRetention LogRetention
	// AfterRow is called after each row. It may be nil.
	AfterRow func(end int64)
	// OlderNodes returns the names of the nodes that cannot read steps of the present version, and
	// whether this node knows all nodes of the cluster. Steps of the present version have the
	// traffic between servers and clients (table.ClientTraffic). This node leaves out this traffic
	// while older nodes exist, or while it does not know all nodes. If OlderNodes is nil, this node
	// never leaves out the traffic.
	OlderNodes func() (names []string, isKnown bool)
	Warn       func(sentence string)
}

// RowSource is a source of rows. Next returns ingest.ErrChanged at its first call, and at the first
// call after each change of the system.
type RowSource interface {
	System() *topology.System
	Schema() table.Schema
	Next(context.Context) (*table.Row, error)
}

// ingestNode cuts rows into steps and sends the steps to the logs of partitions.
type ingestNode struct {
	o                IngestOptions
	stage            *plan.Stage
	cut              *plan.Cut
	logs             []bus.Log       // by partition: log of its steps
	indexInPartition []int           // by server: index of the server in its partition
	subjects         []string        // by server: subject of NATS under which the steps of the server are sent
	sent             []int64         // by server: end of the server's last step in the log
	reads            map[string]bool // by server name: true if this node reads the files of the server
	reported         string          // last report of chooseForm
}

// LastSent returns the Unix time up to which the logs have the steps of the selected servers. The
// files must be read from this time on. The function `servers` selects servers by their names.
// LastSent finds the end of the last step of each selected server, and returns the earliest of
// these ends. It ignores a server without a step in the logs. LastSent returns 0 if no server has a
// step.
func LastSent(ctx context.Context, o *IngestOptions, servers func(name string) bool) (int64, error) {
	stage, err := o.Stages.Latest(ctx)
	if errors.Is(err, bus.ErrNone) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n := &ingestNode{o: *o}
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

// enter opens the logs of the partitions of a stage (version of the plan), and reads the last step
// of each server.
func (n *ingestNode) enter(ctx context.Context, stage *plan.Stage) error {
	servers := len(stage.System.Servers)
	n.stage, n.logs, n.indexInPartition, n.subjects, n.sent = stage, nil, make([]int, servers), make([]string, servers), make([]int64, servers)
	for i := range stage.Division.Partitions {
		p := &stage.Division.Partitions[i]
		log, err := n.o.Bus.Logs.Open(ctx, rowsLog(p.Name), n.o.LogRetention.Rows)
		if err != nil {
			return err
		}
		n.logs = append(n.logs, log)
		for at, s := range p.Servers {
			n.indexInPartition[s], n.subjects[s] = at, subject(stage.System.Servers[s])
			if n.sent[s], err = lastStep(ctx, log, n.subjects[s]); err != nil {
				return err
			}
		}
	}
	return nil
}

// lastStep returns the end of the last step of a server in a log. It returns 0 if the log has no
// step of the server.
func lastStep(ctx context.Context, log bus.Log, subject string) (int64, error) {
	last, err := log.Last(ctx, subject)
	if errors.Is(err, bus.ErrNone) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return plan.End(last.Data)
}

// subject returns the subject of a server's steps. The subject is a hash of the server's name,
// because the name may have characters that are not allowed in a subject.
func subject(server string) string {
	sum := sha256.Sum256([]byte(server))
	return "s" + hex.EncodeToString(sum[:8])
}

// RunIngest sends the rows of a source until the source or the context ends.
func RunIngest(ctx context.Context, o IngestOptions, from RowSource) error {
	n := &ingestNode{o: o, reads: map[string]bool{}}
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

// begin agrees with the other nodes on the plan. It then announces in the log of every partition
// that steps of this generation (version) of the system may follow.
func (n *ingestNode) begin(ctx context.Context, from RowSource) error {
	terms, schema := n.o.Terms, from.Schema()
	terms.System = from.System()
	if schema.Components != len(terms.System.Components) {
		return fmt.Errorf("the data have %d components, but the topology has %d components: name all components of the data in the topology, because all nodes of a cluster must know the same components", schema.Components, len(terms.System.Components))
	}
	stage, err := n.o.Stages.Agree(ctx, &terms, schema)
	if err != nil {
		return err
	}
	if err := n.enter(ctx, stage); err != nil {
		return err
	}
	whole, err := stage.WholeSchema()
	if err != nil {
		return err
	}
	n.cut = plan.NewCut(stage.Generation, stage.System, whole)
	return n.announce(ctx)
}

// announce appends the number of the system's generation (version) to the log of every partition.
// Several nodes append this record. Each log stores the record only once, because the record has an
// ID. The first generation needs no announcement, because every log begins with the first
// generation.
func (n *ingestNode) announce(ctx context.Context) error {
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

// chooseForm decides whether steps have the traffic between servers and clients
// (table.ClientTraffic). If it leaves out this traffic because of older nodes, it reports the names
// of these nodes.
func (n *ingestNode) chooseForm(row *table.Row) {
	if n.o.OlderNodes == nil || !row.HasClients() {
		return
	}
	older, isKnown := n.o.OlderNodes()
	n.cut.WithoutClients = len(older) > 0 || !isKnown
	text := ""
	if len(older) > 0 {
		text = fmt.Sprintf("the data that this node sends have no traffic by client, because an older version of limpet runs on %s: upgrade %s. A node that was removed from the cluster is forgotten after one day (\"keep_rows\")",
			english.List(older), english.Verb(len(older), "this node", "these nodes"))
	}
	if text != n.reported && text != "" {
		n.o.Warn(text)
	}
	n.reported = text
}

// send cuts a row into steps and sends the steps of all servers that this node reads.
func (n *ingestNode) send(ctx context.Context, row *table.Row) error {
	n.chooseForm(row)
	batch := make([][]bus.Record, len(n.logs))
	for s, name := range n.stage.System.Servers {
		if row.Heard == nil || row.Heard[s] {
			n.reads[name] = true
		}
		if !n.reads[name] || row.End <= n.sent[s] {
			continue
		}
		p := n.stage.PartitionOf[s]
		data := n.cut.Step(row, s, n.indexInPartition[s])
		batch[p] = append(batch[p], bus.Record{Subject: n.subjects[s], ID: fmt.Sprintf("%s %d", n.subjects[s], row.End), Data: data})
		n.sent[s] = row.End
	}
	for p, records := range batch {
		if err := n.logs[p].Append(ctx, records...); err != nil {
			return err
		}
	}
	if n.o.AfterRow != nil {
		n.o.AfterRow(row.End)
	}
	return nil
}
