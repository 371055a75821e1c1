package persistence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// f10Metrics are the metrics of F10.
var f10Metrics = []string{"rd_sec", "wr_sec", "await", "rxbyt", "txbyt", "cwnd_out", "cwnd_in"}

// cluster is F10's: servers with a drive, an interface and connections each. Component
// kind·n+i belongs to server i.
func cluster(n int) (*topology.System, table.Schema) {
	s := &topology.System{}
	for kind, name := range []string{"drives", "interfaces", "hosts"} {
		g := topology.PeerGroup{ID: kind + 1, Name: name}
		for i := range n {
			server := fmt.Sprintf("ios%d", i)
			if kind == 0 {
				s.Servers = append(s.Servers, server)
			}
			g.Members = append(g.Members, len(s.Components))
			c := topology.Component{Name: server + "/" + name, Kind: topology.Kind(kind), Server: server, Group: kind + 1}
			s.Components = append(s.Components, c)
		}
		s.Groups = append(s.Groups, g)
	}
	return s, table.Schema{StepSeconds: 1, Metrics: metric.All(), Components: 3 * n}
}

// run returns rows of a cluster at work: every metric varies around its level, on all
// servers alike. Training stresses the servers (F10 §10.1): it is noisier.
type run struct {
	schema  table.Schema
	servers int
	noise   float64
	rng     *rand.Rand
	begin   int64
	step    int
	row     *table.Row
}

func newRun(schema table.Schema, seed uint64) *run {
	return &run{
		schema: schema, servers: schema.Components / 3, noise: 0.2, rng: rand.New(rand.NewPCG(seed, 10)),
		begin: 1_000_000_000, row: table.NewRow(schema),
	}
}

func (r *run) next() *table.Row {
	r.step++
	r.row.Clear()
	r.row.End = r.begin + int64(r.step)
	for m := range r.schema.Metrics {
		level := 1000 * (1 + 0.3*math.Sin(float64(r.step)/50))
		if r.schema.Metrics[m].Subject == metric.SubjectHost {
			level = 30
		}
		for i := range r.servers {
			r.row.Values[m][r.component(m, i)] = level * math.Exp(r.noise*r.rng.NormFloat64())
		}
	}
	return r.row
}

// component returns the component of a server on which a metric is measured.
func (r *run) component(m, server int) int {
	return int(r.schema.Metrics[m].Subject)*r.servers + server
}

// at returns the address of a value in the row.
func (r *run) at(name string, server int) *float64 {
	m := metric.Index(r.schema.Metrics, name)
	return &r.row.Values[m][r.component(m, server)]
}

// trainF10 learns from runs without faults.
func trainF10(tb testing.TB, o Options, system *topology.System, schema table.Schema, runs, steps int) *Trainer {
	tb.Helper()
	trainer, err := NewTrainer(o, system, schema, f10Metrics)
	if err != nil {
		tb.Fatal(err)
	}
	for seed := range runs {
		r := newRun(schema, uint64(seed))
		r.noise = 0.3
		for range steps {
			trainer.Push(r.next())
		}
		trainer.EndRun()
	}
	return trainer
}
