package diagnose

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Idleness is a server that had nothing to do while others had. It may have
// been taken out of service, or nobody may have asked it for anything: it
// differs from its peers in every metric, and is at fault in none.
type Idleness struct {
	Server   string
	From, To int64 // of the first time and the last
	Times    int
	Seconds  int64 // in all
}

// idleness watches which servers have no traffic.
type idleness struct {
	system   *topology.System
	step     int64
	span     int64 // seconds of idleness that are worth telling
	serverOf []int
	work     []work     // by metric of the schema
	busy     []bool     // by server, in this step
	present  []bool     // likewise: it has any metric that tells
	since    []int64    // by server: begin of the idleness that lasts, 0 while it works
	until    []int64    // by server: end of the step in which it was idle last
	told     []Idleness // by server
	index    map[string]int
}

// work says from which value on a metric is work, 0 where it does not tell.
type work float64

func newIdleness(o *Options, system *topology.System, schema table.Schema) *idleness {
	n := len(system.Servers)
	d := &idleness{
		system: system, step: schema.StepSeconds, span: o.window(schema.StepSeconds),
		serverOf: system.ServerOf(), busy: make([]bool, n), present: make([]bool, n),
		since: make([]int64, n), until: make([]int64, n), told: make([]Idleness, n), index: map[string]int{},
	}
	for i, name := range system.Servers {
		d.index[name] = i
	}
	for _, m := range schema.Metrics {
		d.work = append(d.work, workOf(m))
	}
	return d
}

// window is how many seconds one lasts.
func (o *Options) window(stepSeconds int64) int64 {
	if o.Indict == BySymptoms {
		return o.Symptoms.WinSeconds
	}
	return int64(o.Detect.WinSize) * stepSeconds
}

// workOf: any request is work, and any traffic beyond the noise of a network.
func workOf(m metric.Metric) work {
	switch m.Name {
	case metric.TPS.Name, metric.RdSec.Name, metric.WrSec.Name:
		return work(1e-9)
	case metric.RxByt.Name, metric.TxByt.Name:
		return work(m.Noise)
	}
	return 0
}

func (d *idleness) push(row *table.Row) {
	clear(d.busy)
	clear(d.present)
	for m, least := range d.work {
		if least == 0 {
			continue
		}
		for c, v := range row.Values[m] {
			if s := d.serverOf[c]; s >= 0 && !table.IsMissing(v) {
				d.present[s] = true
				d.busy[s] = d.busy[s] || v >= float64(least)
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
func (d *idleness) mark(s int, end int64, othersWork bool) {
	switch {
	case d.busy[s]:
		d.told[s] = d.sofar(s)
		d.since[s] = 0
	case d.present[s] && othersWork:
		if d.since[s] == 0 {
			d.since[s] = end - d.step
		}
		d.until[s] = end
	}
}

// sofar is what a server's idleness has come to. What was shorter than a window
// does not count.
func (d *idleness) sofar(s int) Idleness {
	i, length := d.told[s], d.until[s]-d.since[s]
	if d.since[s] == 0 || length < d.span {
		return i
	}
	if i.Times++; i.Times == 1 {
		i.Server, i.From = d.system.Servers[s], d.since[s]
	}
	i.To = d.until[s]
	i.Seconds += length
	return i
}

// excused says whether nothing may be concluded of a server: it had nothing to
// do in the last half of a window.
func (d *idleness) excused(server string) bool {
	s, ok := d.index[server]
	return ok && d.since[s] > 0 && 2*(d.until[s]-d.since[s]) >= d.span
}

// Idle lists the servers that had nothing to do for at least a window while
// others had, in the order in which that began.
func (e *Engine) Idle() []Idleness {
	var list []Idleness
	for s := range e.idle.told {
		if i := e.idle.sofar(s); i.Times > 0 {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b Idleness) int { return cmp.Compare(a.From, b.From) })
	return list
}
