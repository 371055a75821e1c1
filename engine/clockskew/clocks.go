package clockskew

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// Skew is a server whose clock differs by seconds from most other clocks.
type Skew struct {
	Server  string // empty if at least half of the clocks differ from the others; then it is unknown which clocks are right
	Seconds int64  // positive if the server's clock is ahead; its load then seems to change later than the load of the other servers
}

// Clocks compares the times at which a server becomes busy or idle with the times at
// which the other servers become busy or idle.
type Clocks struct {
	opts    Options
	shared  criteria.Options
	system  *topology.System
	step    int64
	maxLag  int   // greatest skew that can be found, in steps
	last    int64 // Unix time of the end of the last row; 0 before the first row
	load    load
	levels  []float64 // by server: logarithm of its load in this step (load.read)
	ranked  []float64 // known levels of this step, ascending
	timings []timing  // by server: comparison of its load with the load of the other servers; nil if there are too few servers or steps are too long
}

// New returns a value of type Clocks for the rows of a schema.
func New(o Options, shared criteria.Options, system *topology.System, schema table.Schema) (*Clocks, error) {
	c := &Clocks{opts: o, shared: shared, system: system, step: schema.StepSeconds, maxLag: int(o.FarthestSeconds / schema.StepSeconds)}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if len(system.Servers) < topology.MinPeers || c.step > shared.FineSeconds {
		return c, nil
	}
	c.load = newLoad(system, schema)
	c.levels = make([]float64, len(system.Servers))
	for range system.Servers {
		c.timings = append(c.timings, newTiming(c.maxLag))
	}
	return c, nil
}

// Push adds the loads of all servers in the next row.
func (c *Clocks) Push(row *table.Row) {
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

// skip adds n steps without a row. In these steps the loads of all servers are missing.
func (c *Clocks) skip(n int) {
	for s := range c.levels {
		c.levels[s] = table.Missing
	}
	for range min(n, c.maxLag+1) {
		c.compare()
	}
}

// fade halves the weight of all earlier rows each time SameCauseSeconds have passed. So
// [Clocks.Skews] soon stops reporting a clock that was corrected.
func (c *Clocks) fade(end int64) {
	if end/c.shared.SameCauseSeconds == c.last/c.shared.SameCauseSeconds {
		return
	}
	for s := range c.timings {
		c.timings[s].fade()
	}
}

// compare adds one step to the timing of each server: the level of the server (the logarithm of its
// load), and the median level of the other servers.
func (c *Clocks) compare() {
	c.ranked = c.ranked[:0]
	var all changes
	for s, level := range c.levels {
		change := c.timings[s].own.push(level)
		if !table.IsMissing(level) {
			c.ranked = append(c.ranked, level)
			all.add(change)
		}
	}
	slices.Sort(c.ranked)
	for s, level := range c.levels {
		c.timings[s].compare(level, c.medianOfOthers(level), all)
	}
}

// medianOfOthers returns the median level (logarithm of the load) of all servers except one. The
// parameter `but` is the level of this one server. If there are two middle values, it returns the
// lower value. So the other servers count as busy only if more than half of them are busy.
func (c *Clocks) medianOfOthers(but float64) float64 {
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

// Skews returns the servers whose clocks are wrong at present, in the order of system.Servers. If
// at least half of the clocks differ, it is unknown which clocks are right. Skews then returns one
// entry without a server's name.
func (c *Clocks) Skews() []Skew {
	var list []Skew
	for s := range c.timings {
		t := &c.timings[s]
		seconds := t.lag(&c.opts, c.shared.DoubleTimes) * c.step
		if t.steps*c.step >= c.opts.comparedSeconds() && max(seconds, -seconds) >= c.opts.NearestSeconds {
			list = append(list, Skew{c.system.Servers[s], seconds})
		}
	}
	if n := len(list); n > 0 && 2*n >= len(c.timings) {
		return []Skew{{Seconds: list[0].Seconds}}
	}
	return list
}

// State writes the timings of all servers, or reads them from a saved state.
func (c *Clocks) State(s *state.Codec, axes *blame.Axes) {
	s.Expect("time steps for the comparison of clocks", c.maxLag)
	state.Int(s, &c.last)
	timings, known := c.timings, c.timings != nil
	if timings == nil {
		timings = make([]timing, len(c.system.Servers))
	}
	if s.Bool(&known); known {
		state.By(s, axes.Servers, timings, timingState)
	}
}
