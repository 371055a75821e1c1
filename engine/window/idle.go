package window

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// Idle watches which servers have nothing to do while others have. Such a
// server may have been taken out of service, or nobody may have asked it for
// anything: it differs from its peers in every metric, and is at fault in none.
type Idle struct {
	step     int64
	span     int64 // seconds of idleness that are worth telling
	serverOf []int
	least    []float64 // by metric of the schema: the value from which on it is work; 0 where it does not tell
	busy     []bool    // by server, in this step
	present  []bool    // likewise: it has any metric that tells
	servers  []idling  // by server
}

// idling is what is remembered of one server.
type idling struct {
	since, until int64 // begin and end of the idleness that lasts; since is 0 while the server works
	told         Idleness
}

// Idleness is when a server was idle, all in all.
type Idleness struct {
	Server   int
	From, To int64 // of the first time and the last
	Times    int
	Seconds  int64 // in all
}

// NewIdle has seen nobody idle yet. Span is how many seconds of idleness are
// worth telling.
func NewIdle(m *blame.Map, s table.Schema, span int64) *Idle {
	n := len(m.System.Servers)
	d := &Idle{step: s.StepSeconds, span: span, serverOf: m.ServerOf, busy: make([]bool, n), present: make([]bool, n), servers: make([]idling, n)}
	for _, m := range s.Metrics {
		d.least = append(d.least, leastWork(m))
	}
	return d
}

// leastWork: any request is work, and any traffic beyond the noise of a network.
func leastWork(m metric.Metric) float64 {
	switch m.Name {
	case metric.TPS.Name, metric.RdSec.Name, metric.WrSec.Name:
		return anyRequest
	case metric.RxByt.Name, metric.TxByt.Name:
		return m.Noise
	}
	return 0
}

// anyRequest is less than one request in any step.
const anyRequest = 1e-9

// Row takes the next row.
func (d *Idle) Row(row *table.Row) {
	clear(d.busy)
	clear(d.present)
	for m, least := range d.least {
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

// mark notes one step of one server. It is idle only where others work: when
// all rest, nothing is odd and nothing ends.
func (d *Idle) mark(s int, end int64, othersWork bool) {
	x := &d.servers[s]
	switch {
	case d.busy[s]:
		x.told = d.soFar(s)
		x.since = 0
	case d.present[s] && othersWork:
		if x.since == 0 {
			x.since = end - d.step
		}
		x.until = end
	}
}

// soFar is what a server's idleness has come to. What was too short does not
// count.
func (d *Idle) soFar(s int) Idleness {
	x := &d.servers[s]
	i, length := x.told, x.until-x.since
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

// Excuses says whether nothing may be concluded of a server: it had nothing to
// do in the last half of a span.
func (d *Idle) Excuses(server int) bool {
	x := &d.servers[server]
	return x.since > 0 && 2*(x.until-x.since) >= d.span
}

// List lists the servers that were idle, in the order in which that began.
func (d *Idle) List() []Idleness {
	var list []Idleness
	for s := range d.servers {
		if i := d.soFar(s); i.Times > 0 {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b Idleness) int { return cmp.Compare(a.From, b.From) })
	return list
}

// State writes or reads who was idle.
func (d *Idle) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Servers, d.servers, func(c *state.Codec, x *idling) {
		state.Int(c, &x.since)
		state.Int(c, &x.until)
		axes.Servers.Index(c, &x.told.Server)
		state.Int(c, &x.told.From)
		state.Int(c, &x.told.To)
		state.Int(c, &x.told.Times)
		state.Int(c, &x.told.Seconds)
	})
}
