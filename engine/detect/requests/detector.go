package requests

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// Detector compares the requests of every component with the requests of its peers, tick by tick.
type Detector struct {
	opts             Options
	criteria         criteria.Options
	facts            *window.Facts
	monitor          *evidence.Monitor
	ticks            window.Ticks
	minutes          window.Ticks // determines when a minute ends: the effect of a problem is measured over whole minutes
	groups           []int        // peer groups that are large enough for comparisons
	step             float64      // seconds between rows
	util             int          // column of the metric %util in rows; -1 if rows do not have it
	suspectEvidence  float64      // evidence that makes a suspect, in nats
	incidentEvidence float64      // evidence that an incident needs, in nats
	memories         []memory
	courses          []course
	keepPast         float64 // factor by which the past histograms are multiplied at each tick
	keepRecent       float64 // factor by which the recent sums are multiplied at each tick
	keepNow          float64 // weight of the old value in the moving average episode.now (nowSeconds)
	hasLatencies     bool    // rows have latency histograms
}

// course holds sums over the requests of one component. The field `work` is about the last tick.
// The sums in the field `slow` begin when the component begins to have more slow requests than its
// peers. The sums in the field `queue` begin when the component begins to get more requests than
// its peers.
type course struct {
	compared bool        // in the last tick, the number of slow requests of the component was compared with its peers
	judged   bool        // since the last call of ResetJudged, the number of slow requests of the component was compared with its peers
	loadSeen bool        // the load of the component was compared in the last tick, or is known to be small
	work     work        // sums of the last tick
	usual    usualValues // usual values of the peers in the last tick in which the component's load was compared
	slow     episode     // sums since the component began to have more slow requests than its peers
	queue    queue       // sums since the component began to get more requests than its peers
}

// New returns a detector for rows of a schema.
func New(o Options, shared criteria.Options, e evidence.Options, f *window.Facts, schema table.Schema) *Detector {
	n := len(f.System.Components)
	d := &Detector{
		opts: o, criteria: shared, facts: f, step: float64(schema.StepSeconds), util: metric.Index(schema.Metrics, metric.Util.Name), hasLatencies: schema.Latencies,
		ticks: window.NewTicks(o.TickSeconds, schema.StepSeconds), memories: make([]memory, n), courses: make([]course, n),
	}
	d.suspectEvidence, d.incidentEvidence = shared.Evidence(len(f.Attachments), d.ticks.Seconds)
	d.minutes = window.NewTicks(window.MinuteSeconds, d.ticks.Seconds)
	keep := func(halfLife int64) float64 { return math.Exp2(-float64(d.ticks.Seconds) / float64(halfLife)) }
	d.keepPast, d.keepRecent, d.keepNow = keep(d.memorySeconds()), keep(d.recentSeconds()), keep(nowSeconds)
	shared.SureDeviations /= 2 // a tick has hundreds of requests, so half of this bound is enough for a sure difference; with the smaller bound, a burst on a healthy component adds less evidence
	e.BurstSteps = burstTicks
	d.monitor = evidence.New(e, shared, n, len(f.System.Groups), d.ticks.Seconds)
	for g, enough := range f.Comparable() {
		if enough {
			d.groups = append(d.groups, g)
		}
	}
	return d
}

// burstTicks is a lower bound for the mean length of a burst, in ticks. It replaces
// evidence.Options.BurstSteps, which was chosen for mean latencies. A single slow request is enough
// to make a tick slow. So bursts of slow ticks are longer than bursts of high mean latencies. With
// the smaller bound, TestHealthy would fail: a healthy drive would be a suspect.
const burstTicks = 1.8

// Row adds the requests of a row. If a tick ends with this row, Row compares the components, and
// returns the number of seconds since the end of the previous tick. Otherwise it returns 0.
// Findings and Queues may be called only after a tick.
func (d *Detector) Row(row *table.Row) (seconds int64) {
	if !d.hasLatencies {
		return 0
	}
	any := false
	for _, g := range d.groups {
		for _, c := range d.members(g) {
			any = d.add(c, row) || any
		}
	}
	if seconds = d.ticks.Advance(row.End, any); seconds == 0 {
		return 0
	}
	d.monitor.BeginStep()
	for _, g := range d.groups {
		for _, c := range d.members(g) {
			m, x := &d.memories[c], &d.courses[c]
			m.remember(d.keepRecent)
			x.work, x.compared = m.now, false
		}
		d.compareSlow(g)
		d.compareLoad(g)
		for _, c := range d.members(g) {
			d.decide(c)
			d.memories[c].endTick(d.keepPast)
		}
	}
	d.endMinute()
	return seconds
}

func (d *Detector) members(g int) []int { return d.facts.System.Groups[g].Members }

// add adds the values of a component in a row, and reports whether the row has requests of the
// component. The busy time is added even if there is no histogram, because a device without
// requests has idle time.
func (d *Detector) add(c int, row *table.Row) (any bool) {
	m, l := &d.memories[c], row.Latency[c]
	if l != nil {
		any = m.add(l)
	}
	if d.util < 0 {
		return any
	}
	if util := row.Values[d.util][c]; !table.IsMissing(util) {
		m.now.busyMs += util / 100 * d.step * 1e3
		m.now.seconds += d.step
	}
	return any
}

// member has the sums of one component of a group in one tick.
type member struct {
	component int
	slow      [numEdges]tally
	usualMs   float64 // total time that its requests would take if each request took the median time of the peers
	peersMs   float64 // total time that its requests would take if each request took the mean time of the peers
}

// numEdges is the number of bounds. A request is slow if it takes longer than a bound. There is a
// near bound and a far bound. Many requests of healthy components exceed the near bound, so the
// usual share of slow requests is known well. The near bound shows delays that are about as long as
// the peers' slowest requests. Hardly any requests of healthy components exceed the far bound. The
// far bound shows rarer and longer delays.
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

// ratioWithPrior returns the ratio of the number of slow requests to the expected number. The
// parameter `prior` is added to both numbers, so that few requests do not give a large ratio.
func (t *tally) ratioWithPrior(prior float64) float64 { return (t.slow + prior) / (t.expected + prior) }

// compareSlow adds one tick to the evidence of every member of a group. The value of a tick is the
// logarithm of a ratio: the number of slow requests divided by the expected number. A request is
// slow if it takes longer than a bound. The two bounds (numEdges) give two ratios, and the larger
// ratio is used.
func (d *Detector) compareSlow(g int) {
	var all []member
	for _, c := range d.members(g) {
		if d.memories[c].hasPast(d.opts.LeastRequests) {
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
			values[i] = max(values[i], math.Log(fair[i].slow[b].ratioWithPrior(priorRequests)))
		}
		sizes = append(sizes, math.Abs(values[i]))
	}
	d.monitor.AddNoise(g, 0, quantile.Median(sizes), len(fair))
	for i := range fair {
		m, x := &fair[i], &d.courses[fair[i].component]
		d.monitor.AddValue(m.component, g, &evidence.Value{LogRatio: values[i], Effect: values[i], Weight: 1}, d.ticks.Last, d.ticks.Seconds)
		x.slow.take(m, &x.work, values[i], d.keepNow, d.monitor.HasExcursion(m.component))
		x.compared, x.judged = true, true
	}
}

// count counts the slow requests of all members for one operation (op), read or write.
func (d *Detector) count(all []member, op int) {
	var p50, near, far, means []float64
	for i := range all {
		x := &d.memories[all[i].component].ops[op]
		if past := x.past; totalRequests(past) >= d.opts.LeastRequests {
			p50 = append(p50, quantileMs(past, 0.5))
			near, far = append(near, quantileMs(past, 1-d.opts.NearShare)), append(far, quantileMs(past, 1-d.opts.farShare()))
		}
		if x.now.Device.Requests() > 0 {
			means = append(means, x.now.Device.MeanNs()/nsInMs)
		}
	}
	if len(p50) < topology.MinPeers {
		return
	}
	usual, mean := quantile.Median(p50), quantile.Median(means)
	for b, edge := range [numEdges]float64{quantile.Median(near), d.criteria.ClearTimes * quantile.Median(far)} {
		d.countBeyond(all, op, b, max(d.slowTimes()*usual, edge))
	}
	for i := range all {
		if n := float64(d.memories[all[i].component].ops[op].now.Device.Requests()); n > 0 {
			all[i].usualMs, all[i].peersMs = all[i].usualMs+n*usual, all[i].peersMs+n*mean
		}
	}
}

// slowTimes returns the smallest ratio of the time of a slow request to the median time of the
// peers' requests.
func (d *Detector) slowTimes() float64 { return d.criteria.DoubleTimes * d.criteria.DoubleTimes }

// countBeyond counts the requests that take longer than `bound`, which is in ms. The parameter b is
// the index of this bound (numEdges). From the share of such requests at the peers, countBeyond
// also computes the expected number of such requests.
func (d *Detector) countBeyond(all []member, op, b int, bound float64) {
	var shares, ticks []float64
	for i := range all {
		x := &d.memories[all[i].component].ops[op]
		n := float64(x.now.Device.Requests())
		if totalRequests(x.past) >= d.opts.LeastRequests {
			shares = append(shares, shareAbove(x.past, bound))
		}
		if n > 0 {
			slow, _ := countAbove(x.now.Device, bound)
			ticks = append(ticks, slow/n)
		}
	}
	share := max(quantile.Median(shares), quantile.Median(ticks))
	for i := range all {
		now := d.memories[all[i].component].ops[op].now.Device
		t := tally{expected: share * float64(now.Requests())}
		t.slow, t.slowMs = countAbove(now, bound)
		all[i].slow[b].add(&t)
	}
}

// comparableMembers returns the members whose numbers of slow requests can be compared. A member
// must have requests. A member with far more requests or far larger requests than its peers is left
// out, because its load explains its slow requests.
func (d *Detector) comparableMembers(all []member) []member {
	var requests, sizes []float64
	for i := range all {
		if w := &d.courses[all[i].component].work; w.requests > 0 {
			requests, sizes = append(requests, w.requests), append(sizes, w.size())
		}
	}
	if len(requests) < topology.MinPeers {
		return nil
	}
	load, size := quantile.Median(requests), quantile.Median(sizes)
	return slices.DeleteFunc(all, func(m member) bool {
		w := &d.courses[m.component].work
		return w.requests == 0 || w.requests > d.criteria.ClearTimes*load || w.size() > d.criteria.DoubleTimes*size
	})
}

// Judged reports whether the number of slow requests of a component was compared with its peers
// since the last call of ResetJudged.
func (d *Detector) Judged(c int) bool { return d.courses[c].judged }

// LoadJudged reports whether the load of a component was compared in the last tick, or is known to
// be small.
func (d *Detector) LoadJudged(c int) bool { return d.courses[c].loadSeen }

// ResetJudged marks every component as not yet compared, so that Judged returns false.
func (d *Detector) ResetJudged() {
	for c := range d.courses {
		d.courses[c].judged = false
	}
}

// Forget deletes the evidence that a component has more slow requests than its peers.
func (d *Detector) Forget(c int) {
	d.monitor.Forget(c)
	d.courses[c].slow = episode{}
}

// ForgetLoad ends the episode in which requests of a component wait because of its load.
func (d *Detector) ForgetLoad(c int) { d.courses[c].queue = queue{} }

// State writes or reads what the detector remembers about every component.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &d.ticks.Last)
	state.Int(c, &d.minutes.Last)
	d.monitor.State(c, axes)
	state.By(c, axes.Components, d.memories, func(c *state.Codec, m *memory) { m.state(c) })
	state.By(c, axes.Components, d.courses, func(c *state.Codec, x *course) { x.state(c) })
}

func (x *course) state(c *state.Codec) {
	c.Bool(&x.compared)
	c.Bool(&x.judged)
	c.Bool(&x.loadSeen)
	x.work.state(c)
	x.usual.state(c)
	x.slow.state(c)
	x.queue.state(c)
}
