package engine_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// eventPrinter prints what becomes of incidents.
type eventPrinter struct{}

func (eventPrinter) Window(*persistence.Window) {}
func (eventPrinter) List(*engine.List)          {}
func (eventPrinter) Event(e *incident.Event) {
	in := e.Incident
	fmt.Printf("%s %s: %s %s\n", time.Unix(e.Time, 0).UTC().Format("15:04"), e.Change, in.Place.Tier, in.Place.Name)
}

// Twelve drives of one server answer in about 5 ms. From one o'clock on one of them
// takes twice as long, at the same load.
func ExampleEngine_Push() {
	site, _, err := topology.Parse("site.yaml", []byte("servers: fs1\ndrives:\n  - devices: sd[b-m]\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await, metric.TPS}, Components: len(site.Components), Load: 1}
	diagnosis, err := engine.New(engine.DefaultOptions(), site, schema, nil, eventPrinter{})
	if err != nil {
		fmt.Println(err)
		return
	}
	random := rand.New(rand.NewPCG(1, 1))
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Unix()
	for step := range int64(4 * 240) { // four hours
		row := table.Row{End: begin + 15*step, Values: [][]float64{make([]float64, 12), make([]float64, 12)}}
		for drive := range 12 {
			awaitMs := 5 * (1 + 0.1*random.NormFloat64())
			if drive == 7 && step >= 240 {
				awaitMs *= 2
			}
			row.Values[0][drive], row.Values[1][drive] = awaitMs, 100
		}
		diagnosis.Push(&row)
	}
	diagnosis.Finish()
	// Output:
	// 02:03 opened: drive fs1/sdi
}
