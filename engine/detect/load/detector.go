package load

import (
	"math"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// Detector compares the requests of every component with the requests of its peers, tick
// by tick.
type Detector struct {
	opts         Options
	facts        *window.Facts
	groups       [][]int // members of each peer group that is large enough for comparisons
	ticks        window.Ticks
	step         float64 // seconds between rows
	util         int     // column of %util in a row; -1 if rows do not have it
	memories     []memory
	courses      []course
	keep         float64 // factor by which the sums over past requests are multiplied at each tick
	hasLatencies bool    // rows have latency histograms
}

// New returns a detector for rows of a schema.
func New(o Options, f *window.Facts, schema table.Schema) *Detector {
	n := len(f.System.Components)
	d := &Detector{
		opts: o, facts: f, step: float64(schema.StepSeconds), util: metric.Index(schema.Metrics, metric.Util.Name),
		memories: make([]memory, n), courses: make([]course, n), hasLatencies: schema.Latencies,
		ticks: window.NewTicks(o.TickSeconds, schema.StepSeconds),
	}
	d.keep = math.Exp2(-float64(d.ticks.Seconds) / o.MemorySeconds)
	for g, enough := range f.Comparable() {
		if enough {
			d.groups = append(d.groups, f.System.Groups[g].Members)
		}
	}
	return d
}

// Row adds the requests of a row. At the end of a tick it compares the components, and returns the
// number of seconds since the end of the previous tick. It returns 0 between two ticks. The result
// of Findings is valid only after a tick.
func (d *Detector) Row(row *table.Row) (seconds int64) {
	if !d.hasLatencies {
		return 0
	}
	any := false
	for _, members := range d.groups {
		for _, c := range members {
			any = d.add(c, row) || any
		}
	}
	if seconds = d.ticks.Next(row.End, any); seconds == 0 {
		return 0
	}
	for _, members := range d.groups {
		d.compare(members)
	}
	return seconds
}

// add adds the values of a component in a row, and reports whether the row has a latency histogram
// of the component. The busy time is added even if there is no histogram, because a device without
// requests has idle time.
func (d *Detector) add(c int, row *table.Row) bool {
	m, l := &d.memories[c], row.Latency[c]
	if l != nil {
		m.add(l)
	}
	if d.util < 0 {
		return l != nil
	}
	if util := row.Values[d.util][c]; !table.IsMissing(util) {
		m.now.busyMs += util / 100 * d.step * 1e3
		m.now.seconds += d.step
	}
	return l != nil
}

// compare compares the members of a group. Members with too few requests are not compared, and the
// tick counts as calm for them. If fewer than three members have enough requests, there are too few
// peers. Then the tick counts as calm for these members as well.
func (d *Detector) compare(members []int) {
	var all []int
	for _, c := range members {
		m, x := &d.memories[c], &d.courses[c]
		x.now = m.now
		m.endTick(d.keep)
		if m.past.requests >= d.opts.LeastRequests && x.now.requests > 0 {
			all = append(all, c)
		} else {
			d.rest(c, x.now.requests > 0 || x.now.isIdle())
		}
	}
	if len(all) < topology.MinPeers {
		for _, c := range all {
			d.rest(c, false)
		}
		return
	}
	peers := d.peersOf(all)
	for _, c := range all {
		d.courses[c].compared = true
		d.follow(c, &peers)
	}
}

// rest adds a calm tick of a component whose requests are not compared. The caller passes true if
// the component is known to have few requests or none.
func (d *Detector) rest(c int, compared bool) {
	x := &d.courses[c]
	x.compared = compared
	x.rest(d.ticks.Last, d.opts.CalmSeconds)
}

// peers holds the medians of the compared members of a group.
type peers struct {
	requests, now, wait, device, busy, size, reads, median quantile.Middle
}

func (d *Detector) peersOf(all []int) peers {
	middle := func(of func(c int) float64) quantile.Middle {
		var list []float64
		for _, c := range all {
			list = append(list, of(c))
		}
		return quantile.MiddleOf(list)
	}
	past := func(of func(*work) float64) quantile.Middle {
		return middle(func(c int) float64 { return of(&d.memories[c].past) })
	}
	return peers{
		requests: past(func(w *work) float64 { return w.requests }), wait: past((*work).waitMs), device: past((*work).device), busy: past((*work).busy),
		size: past((*work).size), reads: past((*work).readPart),
		now:    middle(func(c int) float64 { return d.courses[c].now.requests }),
		median: middle(func(c int) float64 { return d.memories[c].quantileMs(0.5) }),
	}
}

// follow compares one component with its peers. It tests whether the component gets more
// requests, whether these requests wait longer, and whether the device is healthy.
func (d *Detector) follow(c int, p *peers) {
	m, x := &d.memories[c], &d.courses[c]
	w := &m.past
	u := usual{
		requests: p.now.Without(x.now.requests), waitMs: p.wait.Without(w.waitMs()),
		deviceMs: p.device.Without(w.device()), busyMs: p.busy.Without(w.busy()),
	}
	more := w.requests >= d.opts.MoreTimes*p.requests.Without(w.requests) && w.waitMs() >= d.opts.WaitTimes*u.waitMs
	by := noMeasure
	if more && d.hasSimilarRequests(w, p) {
		by = d.health(m, &u, p.median.Without(m.quantileMs(0.5)))
	}
	x.follow(by, &u, d.ticks.Last, d.opts.CalmSeconds)
}

// hasSimilarRequests reports whether the size of requests and the share of reads are about the same
// as at the peers.
func (d *Detector) hasSimilarRequests(w *work, p *peers) bool {
	size, reads := p.size.Without(w.size()), p.reads.Without(w.readPart())
	return w.size() <= d.opts.SizeTimes*size && size <= d.opts.SizeTimes*w.size() && math.Abs(w.readPart()-reads) <= d.opts.MixShare
}

// measure is the measurement that shows that a device is as fast as its peers.
type measure uint8

const (
	noMeasure  measure = iota // no measurement shows that the device is healthy
	byDevice                  // the time from issue to completion
	byBusyTime                // the busy time per request
)

// health returns the measurement that shows that a device is healthy. If there is no such
// measurement, it returns noMeasure. It first tests the time in the device. If this time is too
// long, it tests the busy time per request, and the fastest requests of the device. If the device
// is idle for a share ι of the time, about a share ι of its requests find it idle, and take only
// the service time. The quantile ι/2 is the median of these requests. It must be at most LikeTimes
// times the median of the peers' requests.
func (d *Detector) health(m *memory, u *usual, median float64) measure {
	like, idle := d.opts.LikeTimes, m.past.idle()
	switch {
	case m.past.device() <= like*u.deviceMs:
		return byDevice
	case idle >= d.opts.IdleShare && m.past.busy() <= like*u.busyMs && m.quantileMs(idle/2) <= like*median:
		return byBusyTime
	}
	return noMeasure
}

// Judged reports whether a component was compared in the last tick.
func (d *Detector) Judged(c int) bool { return d.courses[c].compared }

// Explains reports whether load alone explains the latency of a component. In a pause
// without requests, it returns true until the episode ends.
func (d *Detector) Explains(c int) bool {
	x := &d.courses[c]
	return d.hasLatencies && (x.lasts() || x.since > 0 && x.now.requests == 0)
}

// Forget ends the episode of a component.
func (d *Detector) Forget(c int) {
	d.courses[c] = course{now: d.courses[c].now, peersNow: d.courses[c].peersNow, compared: d.courses[c].compared}
}

// State writes or reads the memory of every component.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &d.ticks.Last)
	state.By(c, axes.Components, d.memories, func(c *state.Codec, m *memory) { m.state(c) })
	state.By(c, axes.Components, d.courses, func(c *state.Codec, x *course) { x.state(c) })
}
