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

// Detector follows what is asked of every component, tick by tick.
type Detector struct {
	opts      Options
	facts     *window.Facts
	groups    [][]int // members of the peer groups that hold drives or paths, and enough of them
	ticks     window.Ticks
	step      float64
	util      int // place of %util in a row, -1 where it has none
	memories  []memory
	courses   []course
	keep      float64 // what a tick leaves of the past
	listening bool    // rows have latencies
}

// New returns a detector that has heard nothing, of rows of a schema.
func New(o Options, f *window.Facts, schema table.Schema) *Detector {
	n := len(f.System.Components)
	d := &Detector{
		opts: o, facts: f, step: float64(schema.StepSeconds), util: metric.Index(schema.Metrics, metric.Util.Name),
		memories: make([]memory, n), courses: make([]course, n), listening: schema.Latencies,
		ticks: window.NewTicks(o.TickSeconds, schema.StepSeconds),
	}
	d.keep = math.Exp2(-float64(d.ticks.Seconds) / o.MemorySeconds)
	for g, judged := range f.Comparable() {
		if judged {
			d.groups = append(d.groups, f.System.Groups[g].Members)
		}
	}
	return d
}

// Row takes the requests of a row, and says for how many seconds what components
// show has been summed up; 0 where it is too early for that. Findings can be asked
// for after it.
func (d *Detector) Row(row *table.Row) (seconds int64) {
	if !d.listening {
		return 0
	}
	heard := false
	for _, members := range d.groups {
		for _, c := range members {
			heard = d.hear(c, row) || heard
		}
	}
	if seconds = d.ticks.Next(row.End, heard); seconds == 0 {
		return 0
	}
	for _, members := range d.groups {
		d.judge(members)
	}
	return seconds
}

// hear takes what a row holds of a component, and says whether there is a place for its
// requests. A device without any is idle for as long as it is not busy.
func (d *Detector) hear(c int, row *table.Row) bool {
	m, l := &d.memories[c], row.Latency[c]
	if l != nil {
		m.hear(l)
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

// judge compares the members of a group. Of those with hardly a request no more is asked
// than of the others; where too few are left, nobody knows.
func (d *Detector) judge(members []int) {
	var all []int
	for _, c := range members {
		m, x := &d.memories[c], &d.courses[c]
		x.now = m.now
		m.turn(d.keep)
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
		d.courses[c].isJudged = true
		d.follow(c, &peers)
	}
}

// rest takes a tick up in which a component is not compared with its peers.
func (d *Detector) rest(c int, isJudged bool) {
	x := &d.courses[c]
	x.isJudged = isJudged
	x.rest(d.ticks.Last, d.opts.CalmSeconds)
}

// peers are the medians of what the members of a group do.
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

// follow says whether more is asked of a component than of its peers, and whether
// that is all.
func (d *Detector) follow(c int, p *peers) {
	m, x := &d.memories[c], &d.courses[c]
	w := &m.past
	u := usual{
		requests: p.now.Without(x.now.requests), waitMs: p.wait.Without(w.waitMs()),
		deviceMs: p.device.Without(w.device()), busyMs: p.busy.Without(w.busy()),
	}
	more := w.requests >= d.opts.MoreTimes*p.requests.Without(w.requests) && w.waitMs() >= d.opts.WaitTimes*u.waitMs
	by := unknown
	if more && d.alike(w, p) {
		by = d.health(m, &u, p.median.Without(m.quantileMs(0.5)))
	}
	x.follow(by, &u, d.ticks.Last, d.opts.CalmSeconds)
}

// alike says whether requests are about as large as those of the peers, and as many
// of them reads.
func (d *Detector) alike(w *work, p *peers) bool {
	size, reads := p.size.Without(w.size()), p.reads.Without(w.readPart())
	return w.size() <= d.opts.SizeTimes*size && size <= d.opts.SizeTimes*w.size() && math.Abs(w.readPart()-reads) <= d.opts.MixShare
}

// measure is what shows that a device works no longer on a request than its peers.
type measure uint8

const (
	unknown    measure = iota // nothing does
	byDevice                  // the time from issue to completion
	byBusyTime                // for how long it was busy, by requests
)

// health finds what shows that a device is healthy. Requests that find it idle, a share
// ι of them, take what the device takes alone. So if it is as quick as its peers, half
// of ι of all its requests take no longer than half of theirs.
func (d *Detector) health(m *memory, u *usual, median float64) measure {
	like, idle := d.opts.LikeTimes, m.past.idle()
	switch {
	case m.past.device() <= like*u.deviceMs:
		return byDevice
	case idle >= d.opts.IdleShare && m.past.busy() <= like*u.busyMs && m.quantileMs(idle/2) <= like*median:
		return byBusyTime
	}
	return unknown
}

// Judged says whether a component could be judged in the last tick.
func (d *Detector) Judged(c int) bool { return d.courses[c].isJudged }

// Explains says whether a component is known to wait for what is asked of it, and for
// nothing else. A pause shows nothing else, until all is over.
func (d *Detector) Explains(c int) bool {
	x := &d.courses[c]
	return d.listening && (x.lasts() || x.since > 0 && x.now.requests == 0)
}

// Forget begins anew with a component.
func (d *Detector) Forget(c int) {
	d.courses[c] = course{now: d.courses[c].now, beside: d.courses[c].beside, isJudged: d.courses[c].isJudged}
}

// State writes or reads all that is remembered.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &d.ticks.Last)
	state.By(c, axes.Components, d.memories, func(c *state.Codec, m *memory) { m.state(c) })
	state.By(c, axes.Components, d.courses, func(c *state.Codec, x *course) { x.state(c) })
}
