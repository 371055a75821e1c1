package tail

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// Detector compares the latency histograms of every component with the histograms of its
// peers, tick by tick.
type Detector struct {
	opts             Options
	facts            *window.Facts
	monitor          *evidence.Monitor
	ticks            window.Ticks
	comparable       []bool  // by peer group: whether it has enough drives or paths for a comparison
	suspectEvidence  float64 // evidence that makes a suspect, in nats
	incidentEvidence float64 // evidence that an incident needs, in nats
	memories         []memory
	courses          []course
	keepPast         float64 // factor by which the past histograms are multiplied at each tick
	keepNow          float64 // weight of the previous average in the new average of a component (Options.RecentTicks)
	hasLatencies     bool    // rows have latency histograms
}

// New returns a detector for rows of a schema.
func New(o Options, shared criteria.Options, e evidence.Options, f *window.Facts, schema table.Schema) *Detector {
	d := &Detector{opts: o, facts: f, comparable: f.Comparable(), hasLatencies: schema.Latencies, ticks: window.NewTicks(o.TickSeconds, schema.StepSeconds)}
	d.suspectEvidence, d.incidentEvidence = o.evidenceBounds(len(f.Watched), d.ticks.Seconds)
	d.keepPast = math.Exp2(-float64(d.ticks.Seconds) / o.MemorySeconds)
	d.keepNow = math.Exp2(-1 / o.RecentTicks)
	n := len(f.System.Components)
	shared.SureDeviations, e.BurstSteps = o.MostDeviations, burstTicks
	d.monitor = evidence.New(e, shared, n, len(f.System.Groups), d.ticks.Seconds)
	d.memories, d.courses = make([]memory, n), make([]course, n)
	return d
}

// burstTicks is the least mean length of a burst, in ticks. Slow requests come in bursts that last
// longer than the bursts of the mean latency, because a single slow request in a tick counts.
const burstTicks = 1.8

// Row adds the requests of a row. At the end of a tick it compares the components, and returns the
// number of seconds since the end of the previous tick. It returns 0 between two ticks. The result
// of Findings is valid only after a tick.
func (d *Detector) Row(row *table.Row) (seconds int64) {
	if !d.hasLatencies {
		return 0
	}
	any := false
	for c, l := range row.Latency {
		if l != nil {
			any = d.memories[c].add(l) || any
		}
	}
	if seconds = d.ticks.Next(row.End, any); seconds == 0 {
		return 0
	}
	d.monitor.Begin()
	for g := range d.facts.System.Groups {
		if d.comparable[g] {
			d.compare(g)
		}
	}
	for _, c := range d.facts.Watched {
		d.update(c)
		d.memories[c].endTick(d.keepPast)
	}
	return seconds
}

// member is one component of a group in a tick.
type member struct {
	component       int
	requests, bytes float64
	slow            [numEdges]tally
	deviceMs        float64 // sum of the times in the device
	queueMs         float64 // sum of the times in the queue
	usualMs         float64 // total time that its requests would take if each request took the median time of the peers
	bodyTimes       float64 // ratio of the median time of its past requests to the median time of its peers' past requests
}

// numEdges is the number of bounds. A request is slow if it takes longer than a bound. Many
// requests of healthy components exceed the near bound, so the usual share of slow requests is
// known well. The near bound shows delays that are about as long as the peers' slowest requests.
// Hardly any requests of healthy components exceed the far bound. The far bound shows rarer and
// longer delays.
const numEdges = 2

// tally holds the number of requests that take longer than a bound (slow), and the expected number
// of such requests.
type tally struct {
	slow, expected float64
	slowMs         float64 // sum of the times of the slow requests
}

func (t *tally) add(other *tally) {
	t.slow, t.expected, t.slowMs = t.slow+other.slow, t.expected+other.expected, t.slowMs+other.slowMs
}

// times returns the ratio of the number of slow requests to the expected number. The given prior is
// added to both numbers.
func (t *tally) times(prior float64) float64 { return (t.slow + prior) / (t.expected + prior) }

// compare adds one tick to the evidence of every member of a group. The value of a tick is the
// logarithm of the ratio of slow requests to the expected number. The two bounds (numEdges) give
// two ratios, and the larger ratio is used.
func (d *Detector) compare(g int) {
	var all []member
	for _, c := range d.facts.System.Groups[g].Members {
		if d.hasEnoughPast(c) {
			all = append(all, member{component: c})
		}
	}
	if len(all) < topology.MinPeers {
		return
	}
	for op := range table.LatencyOps {
		d.count(all, op)
	}
	fair := d.comparableMembers(all)
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
		d.monitor.Count(fair[i].component, g, evidence.Value{LogRatio: values[i], Effect: values[i], Weight: 1}, d.ticks.Last, d.ticks.Seconds)
		d.courses[fair[i].component].take(&fair[i], values[i], d.keepNow, d.monitor)
	}
}

// hasEnoughPast reports whether a component has enough past requests for a comparison.
func (d *Detector) hasEnoughPast(c int) bool {
	n := 0.0
	for op := range d.memories[c] {
		n += total(d.memories[c][op].past)
	}
	return n >= d.opts.LeastRequests
}

// count counts the slow requests of all members for one operation, read or write.
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

// countBeyond counts the requests that take longer than a bound in ms. It also computes
// the expected number of such requests from the share at the peers.
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

// add adds the requests of one operation to a member.
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

// comparableMembers returns the members that can be compared by their tails. A member must have
// requests. It must not have far more requests than its peers, or far larger requests.
// Most of its requests must be about as fast as at the peers.
func (d *Detector) comparableMembers(all []member) []member {
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

// Judged reports whether a component was compared since the last tick.
func (d *Detector) Judged(c int) bool { return d.courses[c].compared }

// Next begins the next tick: it marks every component as not yet compared.
func (d *Detector) Next() {
	for c := range d.courses {
		d.courses[c].compared = false
	}
}

// Forget deletes the memory of a component.
func (d *Detector) Forget(c int) {
	d.monitor.Forget(c)
	d.courses[c] = course{compared: d.courses[c].compared}
}
