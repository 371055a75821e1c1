package tail

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// Detector follows the requests of every component, tick by tick.
type Detector struct {
	opts      Options
	facts     *window.Facts
	monitor   *evidence.Monitor
	ticks     window.Ticks
	judges    []bool  // by peer group: it holds drives or paths, and enough of them
	told      float64 // nats that make a suspect
	sure      float64 // nats that an incident needs
	memories  []memory
	courses   []course
	keepPast  float64 // what a tick leaves of the past
	keepNow   float64 // and of what shows now
	listening bool    // rows have latencies
}

// New returns a detector that has heard nothing, of rows of a schema.
func New(o Options, e evidence.Options, f *window.Facts, schema table.Schema) *Detector {
	d := &Detector{opts: o, facts: f, judges: f.Comparable(), listening: schema.Latencies, ticks: window.NewTicks(o.TickSeconds, schema.StepSeconds)}
	d.told, d.sure = o.nats(len(f.Watched), d.ticks.Seconds)
	d.keepPast = math.Exp2(-float64(d.ticks.Seconds) / o.MemorySeconds)
	d.keepNow = math.Exp2(-1 / o.RecentTicks)
	n := len(f.System.Components)
	e.MostDeviations = o.MostDeviations
	d.monitor = evidence.New(e, n, len(f.System.Groups))
	d.memories, d.courses = make([]memory, n), make([]course, n)
	return d
}

// Row takes the requests of a row, and says for how many seconds what components
// show has been summed up; 0 where it is too early for that. Findings can be
// asked for after it.
func (d *Detector) Row(row *table.Row) (seconds int64) {
	if !d.listening {
		return 0
	}
	heard := false
	for c, l := range row.Latency {
		if l != nil {
			heard = d.memories[c].hear(l) || heard
		}
	}
	if seconds = d.ticks.Next(row.End, heard); seconds == 0 {
		return 0
	}
	d.monitor.Begin()
	for g := range d.facts.System.Groups {
		if d.judges[g] {
			d.judge(g)
		}
	}
	for _, c := range d.facts.Watched {
		d.sumUp(c)
		d.memories[c].turn(d.keepPast)
	}
	return seconds
}

// member is what one component of a group did in a tick.
type member struct {
	component       int
	requests, bytes float64
	slow            [numEdges]tally
	deviceMs        float64 // that all took in the device, added up
	queueMs         float64
	usualMs         float64 // the median of its peers, by requests
	bodyTimes       float64 // its median of late over its peers'
}

// A slow request is told by two bounds. The nearer one is exceeded by so many
// requests of healthy components that their share is known well: it shows delays
// that lie within what the slowest of the peers' take. The farther one is exceeded
// by hardly any: it shows delays that are rarer than those.
const numEdges = 2

// tally is the requests beyond a bound.
type tally struct {
	slow, expected float64
	slowMs         float64 // that they took, added up
}

func (t *tally) add(other *tally) {
	t.slow, t.expected, t.slowMs = t.slow+other.slow, t.expected+other.expected, t.slowMs+other.slowMs
}

// times is how many times as many as expected there are.
func (t *tally) times(prior float64) float64 { return (t.slow + prior) / (t.expected + prior) }

// judge compares the members of a group.
func (d *Detector) judge(g int) {
	var all []member
	for _, c := range d.facts.System.Groups[g].Members {
		if d.known(c) {
			all = append(all, member{component: c})
		}
	}
	if len(all) < topology.MinPeers {
		return
	}
	for op := range table.LatencyOps {
		d.count(all, op)
	}
	fair := d.fair(all)
	if len(fair) < topology.MinPeers {
		return
	}
	var sizes []float64
	values := make([]float64, len(fair))
	for i := range fair {
		values[i] = math.Inf(-1)
		for b := range fair[i].slow {
			values[i] = max(values[i], math.Log(fair[i].slow[b].times(d.opts.PriorRequests)))
		}
		sizes = append(sizes, math.Abs(values[i]))
	}
	d.monitor.Noise(g, 0, quantile.Median(sizes), len(fair))
	for i := range fair {
		d.monitor.Count(fair[i].component, g, evidence.Value{Nats: values[i], Effect: values[i], Weight: 1}, d.ticks.Last, d.ticks.Seconds)
		d.courses[fair[i].component].take(&fair[i], values[i], d.keepNow, d.monitor)
	}
}

// known says whether enough requests of a component are in memory.
func (d *Detector) known(c int) bool {
	n := 0.0
	for op := range d.memories[c] {
		n += total(d.memories[c][op].past)
	}
	return n >= d.opts.LeastRequests
}

// count counts the slow requests of one operation.
func (d *Detector) count(all []member, op int) {
	var p50, near, far []float64
	for i := range all {
		if past := d.memories[all[i].component][op].past; total(past) >= d.opts.LeastRequests {
			p50 = append(p50, quantileMs(past, 0.5))
			near, far = append(near, quantileMs(past, 1-d.opts.NearShare)), append(far, quantileMs(past, 1-d.opts.FarShare))
		}
	}
	if len(p50) < topology.MinPeers {
		return
	}
	usual := quantile.Median(p50)
	for b, edge := range [numEdges]float64{quantile.Median(near), d.opts.EdgeTimes * quantile.Median(far)} {
		d.countBeyond(all, op, b, max(d.opts.SlowTimes*usual, edge))
	}
	for i := range all {
		d.add(&all[i], op, usual)
	}
}

// countBeyond counts the requests that take longer than a bound in ms.
func (d *Detector) countBeyond(all []member, op, b int, bound float64) {
	var shares, ticks []float64
	for i := range all {
		x := &d.memories[all[i].component][op]
		n := float64(x.now.Device.Requests())
		if total(x.past) >= d.opts.LeastRequests {
			shares = append(shares, above(x.past, bound))
		}
		if n > 0 {
			slow, _ := slower(x.now.Device, bound)
			ticks = append(ticks, slow/n)
		}
	}
	share := max(quantile.Median(shares), quantile.Median(ticks))
	for i := range all {
		now := d.memories[all[i].component][op].now.Device
		t := tally{expected: share * float64(now.Requests())}
		t.slow, t.slowMs = slower(now, bound)
		all[i].slow[b].add(&t)
	}
}

// add adds the requests of one operation to what a member did.
func (d *Detector) add(m *member, op int, usual float64) {
	x := &d.memories[m.component][op]
	n := float64(x.now.Device.Requests())
	body := 1.0
	if total(x.past) >= d.opts.LeastRequests {
		body = quantileMs(x.past, 0.5) / usual
	}
	m.requests, m.bytes = m.requests+n, m.bytes+float64(x.now.Bytes)
	m.deviceMs += n * x.now.Device.MeanNs() / nsInMs
	m.queueMs += n * x.now.Queue.MeanNs() / nsInMs
	m.usualMs += n * usual
	m.bodyTimes = max(m.bodyTimes, body)
}

// fair are the members that can be compared by their tails: they had something
// to do, no more of it and nothing larger than their peers, and most of their
// requests are as quick.
func (d *Detector) fair(all []member) []member {
	var requests, sizes []float64
	for i := range all {
		if m := &all[i]; m.requests > 0 {
			requests, sizes = append(requests, m.requests), append(sizes, m.bytes/m.requests)
		}
	}
	if len(requests) < topology.MinPeers {
		return nil
	}
	load, size := quantile.Median(requests), quantile.Median(sizes)
	return slices.DeleteFunc(all, func(m member) bool {
		return m.requests == 0 || m.requests > d.opts.LoadTimes*load || m.bytes > d.opts.SizeTimes*size*m.requests || m.bodyTimes > d.opts.BodyTimes
	})
}

// Judged says whether a component could be judged since the last tick.
func (d *Detector) Judged(c int) bool { return d.courses[c].isJudged }

// Next begins what is to be judged by the next tick.
func (d *Detector) Next() {
	for c := range d.courses {
		d.courses[c].isJudged = false
	}
}

// Forget begins anew with a component.
func (d *Detector) Forget(c int) {
	d.monitor.Forget(c)
	d.courses[c] = course{isJudged: d.courses[c].isJudged}
}
