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

// intrepid is the part of Intrepid in L13 Table 3: four peer groups of 768, 384, 768 and
// 384 attachments.
func intrepid() (*topology.System, table.Schema) {
	s := &topology.System{}
	for id, size := range []int{768, 384, 768, 384} {
		g := topology.PeerGroup{ID: id + 1, Name: fmt.Sprintf("group %d", id+1)}
		for range size {
			g.Members = append(g.Members, len(s.Components))
			server := fmt.Sprintf("fs%d", len(s.Components)%128+1)
			s.Components = append(s.Components, topology.Component{Name: fmt.Sprint(len(s.Components)), Server: server, Group: id + 1})
		}
		s.Groups = append(s.Groups, g)
	}
	return s, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await}, Components: len(s.Components), Load: -1}
}

// BenchmarkIntrepidDay compares one day of one metric: 192 windows of 736,128 pairs, all
// of 1000 bins because a few samples are enormous. L13 took 49 minutes of a 2.4 GHz
// core.
func BenchmarkIntrepidDay(b *testing.B) {
	system, schema := intrepid()
	const steps = 5760 + 30 // a running system has 192 windows a day
	rng := rand.New(rand.NewPCG(1, 1))
	rows := make([]*table.Row, 97)
	for i := range rows {
		rows[i] = table.NewRow(schema)
		for c := range rows[i].Values[0] {
			rows[i].Values[0][c] = 20 * math.Exp(0.5*rng.NormFloat64())
		}
		for _, g := range system.Groups {
			rows[i].Values[0][g.Members[i%len(g.Members)]] = 103e3
		}
	}
	for b.Loop() {
		d, err := New(DefaultOptions(), system, schema, []string{"await"}, nil)
		if err != nil {
			b.Fatal(err)
		}
		windows, bins := 0, 0
		for step := range steps {
			row := rows[step%len(rows)]
			row.End = int64(step+1) * 15
			d.Push(row, func(w *Window) { windows++; bins = max(bins, w.Bins.Count) })
		}
		if windows != 4*192 || bins != 1000 {
			b.Fatalf("%d windows of %d bins", windows, bins)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/day")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/192/736128, "ns/pair")
}

// BenchmarkF10 compares a run of eleven minutes as F10 does: seven metrics at one
// second, all pairs of servers.
func BenchmarkF10(b *testing.B) {
	for _, servers := range []int{12, 100} {
		b.Run(fmt.Sprintf("servers=%d", servers), func(b *testing.B) { benchmarkF10(b, servers) })
	}
}

func benchmarkF10(b *testing.B, servers int) {
	const steps = 660
	system, schema := cluster(servers)
	r := newRun(schema, 1)
	rows := make([]*table.Row, 66)
	for i := range rows {
		rows[i] = r.next()
		r.row = table.NewRow(schema)
	}
	o := F10Options()
	model := trainF10(b, o, system, schema, 1, 100).Model()
	for b.Loop() {
		d, err := New(o, system, schema, f10Metrics, model)
		if err != nil {
			b.Fatal(err)
		}
		windows := 0
		for step := range steps {
			row := rows[step%len(rows)]
			row.End = r.begin + int64(step)
			d.Push(row, func(*Window) { windows++ })
		}
		if windows < 7*steps/o.WinShift-14 {
			b.Fatalf("%d windows", windows)
		}
	}
	perRun := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(perRun, "s/run")
	b.ReportMetric(100*perRun/steps, "%core")
}
