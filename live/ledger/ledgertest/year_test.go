package ledgertest

import (
	"fmt"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// A year of ten incidents a day at Intrepid, each with five events: of ten, seven
// show on one attachment, two on a server's 72 and one on an array's 288.
func BenchmarkAYearOfIntrepid(b *testing.B) {
	s, err := arrays.Intrepid(arrays.DefaultIntrepidOptions())
	if err != nil {
		b.Fatal(err)
	}
	system, _, err := topology.Parse("intrepid.yaml", s.Topology)
	if err != nil {
		b.Fatal(err)
	}
	o := engine.DefaultOptions()
	v := sentence.New(system, table.Schema{Metrics: metric.All(), Components: len(system.Components)}, &o)
	for b.Loop() {
		l := Open(b)
		for day := range 365 {
			if err := l.Step(b.Context(), func(tx *ledger.Tx) error { return aDay(tx, v, day) }); err != nil {
				b.Fatal(err)
			}
		}
		l.Close()
		b.ReportMetric(float64(l.Bytes())/1e6, "MB/year")
	}
}

func aDay(tx *ledger.Tx, v *sentence.Writer, day int) error {
	for n := range 10 {
		in := wide(v, day*10+n, []int{1, 1, 1, 1, 1, 1, 1, 72, 72, 288}[n])
		for i, change := range []incident.Change{incident.Opened, incident.Changed, incident.Changed, incident.Recovers, incident.Clears} {
			seq := int64(day*10+n)*5 + int64(i) + 1
			if _, err := tx.Event(seq, Event(in.Onset.At+int64(i)*900, change, in), v); err != nil {
				return err
			}
		}
	}
	return nil
}

// wide returns an incident with the given number of components.
func wide(v *sentence.Writer, n, members int) incident.Incident {
	onset := Began + int64(n)*8640
	in := incident.Incident{
		ID: fmt.Sprintf("%08x", n), Class: finding.Slow, Kind: finding.SharedSlowness, Place: blame.Place{Tier: blame.Array, Name: fmt.Sprintf("ddn%d", n%16+1)},
		Phase: incident.Active, Onset: finding.Onset{At: onset, Early: onset, Late: onset}, Judged: members, Spans: []incident.Span{{From: onset}},
	}
	for i := range members {
		c := (n*577 + i*31) % len(v.System.Components)
		x := 1 + float64((n+i*7919)%1000)/313
		in.Members = append(in.Members, finding.Member{
			Component: c, Role: finding.IsSlow, Odd: true, Windows: i, Ratio: x, Worst: x * 1.37, Own: x * 9.3, Peers: 9.1, Load: 1.03,
			Effect: finding.Effect{Times: x, Low: x * 0.91, High: x * 1.13}, Since: onset + int64(i)*15,
		})
		if i < 8 {
			in.Evidence = append(in.Evidence, finding.Evidence{Metric: "await", Component: c, Decides: true, Unit: "ms", Own: x * 9.3, Peers: 9.1, Score: x, Threshold: 1.5, From: onset, To: onset + 3600})
		}
	}
	return in
}
