package diagnose

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Skew is a server whose clock is seconds apart from those of most others, so
// that its rows are compared with what the others did at another time.
type Skew struct {
	Server  string
	Seconds int64 // positive: its clock is ahead, and what it does seems late
}

const (
	coarsestStep = 5   // seconds: steps that are longer hide a clock that is seconds off
	farthestSkew = 30  // seconds: what is farther off is no longer found
	nearestSkew  = 2   // seconds: servers of one clock may differ by one, as they sample at different moments of it
	leastSpan    = 300 // seconds that a server is compared before anything is said of it
)

// clocks compares when each server becomes busy and idle with when the others
// do. The load of a parallel file system comes and goes on all its servers at
// once. One that is slow ends late, one that hangs stops first, but only a
// clock that is off moves rises and falls alike.
type clocks struct {
	system  *topology.System
	step    int64
	reach   int   // steps that make up the farthest skew
	last    int64 // end of the row before, 0 before the first
	load    load
	levels  []float64 // by server, in this step
	ranked  []float64 // those that are known, ascending
	timings []timing  // by server; none where nothing can be said
}

func newClocks(system *topology.System, schema table.Schema) *clocks {
	c := &clocks{system: system, step: schema.StepSeconds}
	if len(system.Servers) < topology.MinPeers || c.step > coarsestStep {
		return c
	}
	c.reach = int(farthestSkew / c.step)
	c.load = newLoad(system, schema)
	c.levels = make([]float64, len(system.Servers))
	for range system.Servers {
		c.timings = append(c.timings, newTiming(c.reach))
	}
	return c
}

func (c *clocks) push(row *table.Row) {
	if c.timings == nil {
		return
	}
	if c.last > 0 {
		c.skip(int((row.End-c.last)/c.step) - 1)
		c.fade(row.End)
	}
	c.load.read(row, c.levels)
	c.compare()
	c.last = row.End
}

// skip passes over n steps without a row.
func (c *clocks) skip(n int) {
	for s := range c.levels {
		c.levels[s] = table.Missing
	}
	for range min(n, c.reach+1) {
		c.compare()
	}
}

// fade lets what was seen count half after every hour, so that a clock that
// was set right is forgiven.
func (c *clocks) fade(end int64) {
	if end/hour == c.last/hour {
		return
	}
	for s := range c.timings {
		c.timings[s].fade()
	}
}

// compare takes the levels of a step.
func (c *clocks) compare() {
	c.ranked = c.ranked[:0]
	var all chorus
	for s, level := range c.levels {
		change := c.timings[s].own.push(level)
		if !table.IsMissing(level) {
			c.ranked = append(c.ranked, level)
			all.join(change)
		}
	}
	slices.Sort(c.ranked)
	for s, level := range c.levels {
		c.timings[s].compare(level, c.others(level), all)
	}
}

// others gives the median level of all servers but one, and of two in the
// middle the lower: the others are busy when more than half of them are.
func (c *clocks) others(but float64) float64 {
	n := len(c.ranked)
	switch {
	case n < topology.MinPeers:
		return table.Missing
	case table.IsMissing(but):
		return c.ranked[(n-1)/2]
	case c.ranked[n/2-1] < but:
		return c.ranked[n/2-1]
	}
	return c.ranked[n/2]
}

// skews lists the servers whose clocks are off as it stands, in the order of
// the system. Where that is half of them, nobody knows whose clock is right,
// and one without a name stands for all.
func (c *clocks) skews() []Skew {
	var list []Skew
	for s := range c.timings {
		t := &c.timings[s]
		seconds := t.lag() * c.step
		if t.steps*c.step >= leastSpan && max(seconds, -seconds) >= nearestSkew {
			list = append(list, Skew{c.system.Servers[s], seconds})
		}
	}
	if n := len(list); n > 0 && 2*n >= len(c.timings) {
		return []Skew{{Seconds: list[0].Seconds}}
	}
	return list
}

// load reads how busy servers are: by the traffic of their interfaces where
// these are known, else by what their drives read. What drives write comes
// when each server wakes up to flush its cache, and says nothing of clocks.
type load struct {
	metrics  []int
	noise    float64
	serverOf []int
}

func newLoad(system *topology.System, schema table.Schema) load {
	of := []metric.Metric{metric.RdSec}
	if networked(system) >= topology.MinPeers {
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

// networked counts the servers whose interfaces are known.
func networked(system *topology.System) int {
	known := map[string]bool{}
	for i := range system.Components {
		if c := &system.Components[i]; c.Kind == topology.Interface {
			known[c.Server] = true
		}
	}
	return len(known)
}

// read sets the level of every server: a logarithm, so that small and large
// servers rise alike, and near 0 where there is nothing but noise.
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
