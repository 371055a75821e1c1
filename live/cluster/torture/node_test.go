package torture

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/bus/jetstream"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// nodeEnv holds what a process is to be.
const nodeEnv = "LIMPET_TORTURE_NODE"

func TestMain(m *testing.M) {
	if text := os.Getenv(nodeEnv); text != "" {
		var n node
		if err := json.Unmarshal([]byte(text), &n); err != nil {
			panic(err)
		}
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		err := n.run(ctx)
		isStopped := ctx.Err() != nil
		stop()
		if err != nil && !isStopped { // a node that is stopped while it starts may return any error
			fmt.Fprintln(os.Stderr, n.Name, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Roles of a process.
const (
	natsRole   = "nats"
	workerRole = "worker"
	ingestRole = "ingest"
	tellerRole = "teller"
)

// node is one process of a cluster.
type node struct {
	Role, Name, Dir string
	URLs            []string      // of NATS
	LeaseTime       time.Duration // of workers

	Port, RoutePort, HTTPPort int // of a server of NATS
	Routes                    []string

	Begin time.Time     // when the first row is due, of an ingest node
	Pace  time.Duration // between rows

	Hook      string // address of the webhook, of a teller
	NewLedger bool   // the ledger of a teller may begin anew

	Older   uint32 // number of versions that the form of saved states is behind that of this version
	Program string // path of a test program of another version of limpet; empty: this program
}

func (n *node) run(ctx context.Context) error {
	switch n.Role {
	case natsRole:
		return n.runNATS(ctx)
	case workerRole:
		return n.runWorker(ctx)
	case tellerRole:
		return n.runTeller(ctx)
	}
	return n.runIngest(ctx)
}

func (n *node) runNATS(ctx context.Context) error {
	o := &server.Options{
		ServerName: n.Name, Host: "127.0.0.1", Port: n.Port, HTTPHost: "127.0.0.1", HTTPPort: n.HTTPPort, JetStream: true, StoreDir: n.Dir, NoSigs: true,
		Cluster: server.ClusterOpts{Name: "torture", Host: "127.0.0.1", Port: n.RoutePort}, Routes: server.RoutesFromStr(join(n.Routes)),
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	<-ctx.Done()
	s.Shutdown()
	return nil
}

func join(list []string) (text string) {
	for i, one := range list {
		if i > 0 {
			text += ","
		}
		text += one
	}
	return text
}

func (n *node) report(sentence string) { fmt.Fprintln(os.Stderr, n.Name+":", sentence) }

func (n *node) connect(ctx context.Context) (*jetstream.Conn, error) {
	c, err := connect(ctx, n.URLs, n.Name, n.LeaseTime, n.report)
	if err == nil && n.Older > 0 {
		c.Bus.Blobs = olderBlobs{c.Bus.Blobs, n.Older}
	}
	return c, err
}

func connect(ctx context.Context, urls []string, name string, leaseTime time.Duration, report func(string)) (*jetstream.Conn, error) {
	o := jetstream.DefaultOptions()
	o.URLs, o.Cluster, o.Node, o.LeaseTime, o.Report = urls, "torture", name, leaseTime, report
	return jetstream.Connect(ctx, o)
}

func (n *node) runWorker(ctx context.Context) error {
	c, err := n.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return work(ctx, c.Bus, n.Name, n.report)
}

// work is a worker on a bus.
func work(ctx context.Context, b *bus.Bus, name string, report func(string)) error {
	t, stages := terms(), plan.NewStages(b)
	if _, err := stages.Await(ctx, &t); err != nil {
		return err
	}
	o := cluster.DefaultWorkerOptions()
	o.Name, o.Bus, o.Stages, o.Diagnose, o.Report = name, b, stages, engine.DefaultOptions(), report
	o.Now, o.SaveEvery, o.ShowEvery = time.Now, time.Second, 500*time.Millisecond // many snapshots are more to go wrong
	w, err := cluster.NewWorker(ctx, o)
	if err != nil {
		return err
	}
	return w.Run(ctx)
}

func (n *node) runIngest(ctx context.Context) error {
	c, err := n.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return n.send(ctx, c.Bus)
}

// send sends the files of a node, a row at a time.
func (n *node) send(ctx context.Context, b *bus.Bus) error {
	o := cluster.IngestOptions{Bus: b, Stages: plan.NewStages(b), Terms: terms(), LogRetention: cluster.DefaultLogRetention(), Warn: n.report}
	mine := halfNames(filepath.Base(n.Dir))
	after, err := cluster.LastSent(ctx, &o, mine)
	if err != nil {
		return err
	}
	src, err := follow(ctx, n.Dir, after)
	if err != nil {
		return err
	}
	defer src.Close()
	first := scenario(1).Start.Unix()
	o.AfterRow = func(end int64) {
		due := n.Begin.Add(time.Duration(end-first) / stepSeconds * n.Pace)
		select {
		case <-time.After(time.Until(due)):
		case <-ctx.Done():
		}
	}
	return cluster.RunIngest(ctx, o, src)
}

// halfNames says which servers the files of a directory are of.
func halfNames(half string) func(string) bool {
	return func(server string) bool { return halves[halfOf(server)] == half }
}
