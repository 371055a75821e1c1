package window

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// IdleServers finds servers that have no load while other servers have load. Such a server is
// out of service, or no client uses it. It differs from its peers in every metric, but is
// not at fault.
type IdleServers struct {
	step     int64
	span     int64 // shortest length of an idle period that is reported, in seconds
	serverOf []int
	minLoad  []float64     // by index of a metric in the schema: smallest value that counts as load; 0 if the metric does not measure load
	busy     []bool        // by server: whether it has load in this step
	present  []bool        // by server: whether its load is known in this step
	servers  []idlePeriods // by server: its idle periods
}

// idlePeriods is the record of the idle periods of one server.
type idlePeriods struct {
	since, until int64    // Unix times: start of the present idle period, and its end so far; since is 0 while the server has load
	past         Idleness // all earlier idle periods together
}

// Idleness describes all idle periods of one server together.
type Idleness struct {
	Server   int
	From, To int64 // Unix times: start of the first period, and end of the last period
	Times    int   // number of periods
	Seconds  int64 // total length of all periods
}

// NewIdleServers returns an IdleServers that has no idle periods yet. It counts only idle periods
// of at least `span` seconds.
func NewIdleServers(m *blame.Map, s table.Schema, span int64) *IdleServers {
	n := len(m.System.Servers)
	d := &IdleServers{step: s.StepSeconds, span: span, serverOf: m.ServerOf, busy: make([]bool, n), present: make([]bool, n), servers: make([]idlePeriods, n)}
	for _, m := range s.Metrics {
		d.minLoad = append(d.minLoad, minWork(m))
	}
	return d
}

// minWork returns the smallest value of a metric that counts as load. A single request counts as
// load. Network traffic counts as load if it is at least Metric.Noise. For a metric that does not
// measure load, minWork returns 0.
func minWork(m metric.Metric) float64 {
	switch m.Name {
	case metric.TPS.Name, metric.RdSec.Name, metric.WrSec.Name:
		return anyRequest
	case metric.RxByt.Name, metric.TxByt.Name:
		return m.Noise
	}
	return 0
}

// anyRequest is the smallest rate that counts as load, in requests or sectors per second. It is
// below the rate of a single request in the longest possible step.
const anyRequest = 1e-9

// Row records, for the next row, which servers have load and which servers are idle.
func (d *IdleServers) Row(row *table.Row) {
	clear(d.busy)
	clear(d.present)
	for m, least := range d.minLoad {
		if least == 0 {
			continue
		}
		for c, v := range row.Values[m] {
			if s := d.serverOf[c]; s >= 0 && !table.IsMissing(v) {
				d.present[s] = true
				d.busy[s] = d.busy[s] || v >= least
			}
		}
	}
	working := slices.Contains(d.busy, true)
	for s := range d.busy {
		d.mark(s, row.End, working)
	}
}

// mark records one step of one server. The server is idle only if other servers have
// load. A step in which all servers are idle neither starts nor ends a period.
func (d *IdleServers) mark(s int, end int64, othersWork bool) {
	x := &d.servers[s]
	switch {
	case d.busy[s]:
		x.past = d.totals(s)
		x.since = 0
	case d.present[s] && othersWork:
		if x.since == 0 {
			x.since = end - d.step
		}
		x.until = end
	}
}

// totals returns the idle periods of a server, including the present period. Periods shorter than
// IdleServers.span do not count.
func (d *IdleServers) totals(s int) Idleness {
	x := &d.servers[s]
	i, length := x.past, x.until-x.since
	if x.since == 0 || length < d.span {
		return i
	}
	if i.Times++; i.Times == 1 {
		i.Server, i.From = s, x.since
	}
	i.To = x.until
	i.Seconds += length
	return i
}

// IsIdleNow reports whether the present idle period of a server has lasted at least half of
// IdleServers.span. Detectors do not judge such a server.
func (d *IdleServers) IsIdleNow(server int) bool {
	x := &d.servers[server]
	return x.since > 0 && 2*(x.until-x.since) >= d.span
}

// List returns the servers that were idle, in the order of their first idle period.
func (d *IdleServers) List() []Idleness {
	var list []Idleness
	for s := range d.servers {
		if i := d.totals(s); i.Times > 0 {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b Idleness) int { return cmp.Compare(a.From, b.From) })
	return list
}

// State writes or reads the idle periods of all servers.
func (d *IdleServers) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Servers, d.servers, func(c *state.Codec, x *idlePeriods) {
		state.Int(c, &x.since)
		state.Int(c, &x.until)
		axes.Servers.Index(c, &x.past.Server)
		state.Int(c, &x.past.From)
		state.Int(c, &x.past.To)
		state.Int(c, &x.past.Times)
		state.Int(c, &x.past.Seconds)
	})
}
