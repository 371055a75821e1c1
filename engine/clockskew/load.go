package clockskew

import (
	"math"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// load computes the load of servers from rows: the traffic of their interfaces if the
// interfaces are known, otherwise the reads of their drives. Writes are not used,
// because each server flushes its cache at its own times.
type load struct {
	metrics  []int
	noise    float64
	serverOf []int
}

func newLoad(system *topology.System, schema table.Schema) load {
	of := []metric.Metric{metric.RdSec}
	if countWithInterfaces(system) >= topology.MinPeers {
		of = []metric.Metric{metric.RxByt, metric.TxByt}
	}
	l := load{noise: of[0].Noise, serverOf: system.ServerOf()}
	for _, m := range of {
		if i := metric.Index(schema.Metrics, m.Name); i >= 0 {
			l.metrics = append(l.metrics, i)
		}
	}
	return l
}

// countWithInterfaces returns the number of servers whose interfaces are known.
func countWithInterfaces(system *topology.System) int {
	known := map[string]bool{}
	for i := range system.Components {
		if c := &system.Components[i]; c.Kind == topology.Interface {
			known[c.Server] = true
		}
	}
	return len(known)
}

// read sets the level of every server. A level is the logarithm of a load, so that the
// levels of small and large servers change by similar amounts. A level is near 0 if there
// is only noise.
func (l *load) read(row *table.Row, levels []float64) {
	for s := range levels {
		levels[s] = table.Missing
	}
	for _, m := range l.metrics {
		for c, v := range row.Values[m] {
			s := l.serverOf[c]
			switch {
			case s < 0 || table.IsMissing(v):
			case table.IsMissing(levels[s]):
				levels[s] = v
			default:
				levels[s] += v
			}
		}
	}
	for s, sum := range levels {
		levels[s] = math.Log1p(sum / l.noise)
	}
}
