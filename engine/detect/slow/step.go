package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// groupStep holds the medians of a peer group in one step.
type groupStep struct {
	usual            float64 // median latency of the members with work; missing if fewer than three members have work
	work             float64 // median throughput of the members with work, averaged over about a minute
	rate             float64 // median, over the members with work, of the number of requests in a step, averaged over about a minute
	requests         float64 // median, over the members with work, of the number of requests in this step
	idle             bool    // most members have no work: members with work are compared with an idle peer
	normalDifference float64 // how far healthy members normally differ over hours: logarithm of the largest normal ratio of a member to the group, minus the logarithm of SmallestTimes; 0 if this is negative
}

// memberStep holds the values of one member of a group in one step.
type memberStep struct {
	component int
	latency   float64
	requests  float64
	work      float64 // throughput, averaged over about a minute
	rate      float64 // requests in a step, averaged over about a minute
	peers     float64 // median latency of the other members that are not anomalous
	excess    float64 // logarithm of the ratio of its latency to the median latency of the group
}

// Row compares the latency of every component with the latency of its peers in the next row. It
// adds the logarithm of the ratio to the evidence of the component.
func (d *Detector) Row(row *table.Row) {
	d.monitor.BeginStep()
	for g := range d.groups {
		if !d.comparable[g] {
			continue
		}
		d.gather(g, row)
		d.summarise(g)
		if p := &d.groups[g]; !table.IsMissing(p.usual) {
			d.compare(g, row.End)
		}
	}
	for _, c := range d.facts.Attachments {
		if d.roles[c] == takeover {
			d.compareTakeover(c, row)
		}
	}
	d.endMinute(row.End)
}

// gather collects the members of a group that are compared with each other in this step,
// and updates the average load of all members.
func (d *Detector) gather(g int, row *table.Row) {
	d.members = d.members[:0]
	idle, there := 0, 0
	lead := row.Values[d.facts.Lead]
	for _, c := range d.facts.System.Groups[g].Members {
		if d.facts.HasNoValues(row, c) {
			continue
		}
		there++
		requests := d.facts.Requests(row, c, d.step)
		if requests == 0 {
			idle++
		}
		if work := d.facts.Work(row, c); work != 0 || requests != 0 || !d.idle[c] {
			d.idle[c] = d.courses[c].noteLoad(work, requests, d.keepLoad)
		}
		if d.roles[c] == withPeers && requests > 0 && lead[c] > 0 && lead[c] < d.stallLatency {
			w := &d.courses[c]
			d.members = append(d.members, memberStep{component: c, latency: lead[c], requests: requests, work: w.work, rate: w.rate})
		}
	}
	mostly := d.facts.LeadMetric.Noise > 0 && 2*idle > there && there >= topology.MinPeers
	d.groups[g].idle = mostly && (len(d.members) < topology.MinPeers || d.isStandbyGroup(g))
}

// summarise sets the medians of a group in this step. An idle group has no latency. So its usual
// latency is set to the noise of the metric, which is the smallest value that has a meaning.
func (d *Detector) summarise(g int) {
	p := &d.groups[g]
	p.usual, p.work, p.rate, p.requests = table.Missing, table.Missing, table.Missing, table.Missing
	if p.idle {
		p.usual, p.requests = d.facts.LeadMetric.Noise, 0
		return
	}
	if len(d.members) < topology.MinPeers {
		return
	}
	n := len(d.members)
	d.sorted = slices.Grow(d.sorted[:0], 4*n)[:4*n]
	latencies, requests, work, rates := d.sorted[:n], d.sorted[n:2*n], d.sorted[2*n:3*n], d.sorted[3*n:]
	for i := range d.members {
		v := &d.members[i]
		latencies[i], requests[i], work[i], rates[i] = v.latency, v.requests, v.work, v.rate
	}
	d.latencies = quantile.MiddleOf(latencies)
	p.usual = d.latencies.Median()
	p.requests, p.work, p.rate = quantile.Median(requests), quantile.Median(work), quantile.Median(rates)
}

// compare adds one step to the evidence of every member of a group. The step ends at the Unix time
// `end`.
func (d *Detector) compare(g int, end int64) {
	p := &d.groups[g]
	if p.idle {
		d.compareIdle(g, end)
		return
	}
	d.sorted = d.sorted[:0]
	for i := range d.members {
		d.members[i].excess = math.Log(d.members[i].latency / p.usual)
		d.sorted = append(d.sorted, math.Abs(d.members[i].excess))
	}
	phase := phaseOf(p.usual, d.facts.Groups[g].Light, d.criteria.DoubleTimes)
	d.monitor.AddNoise(g, int(phase), quantile.Median(d.sorted), len(d.members))
	d.reference()
	for i := range d.members {
		v := &d.members[i]
		d.count(v, g, p, v.excess, min(v.requests/p.requests, 1), end)
	}
}

// reference sets the latency of the peers of each member (memberStep.peers): the median of the
// members that are not anomalous. A member's own latency is left out, because it would move the
// median towards itself. If fewer than three members are not anomalous, the median of all members
// is used.
func (d *Detector) reference() {
	d.sorted = d.sorted[:0]
	for i := range d.members {
		if v := &d.members[i]; !d.courses[v.component].anomalous {
			d.sorted = append(d.sorted, v.latency)
		}
	}
	healthy, all := d.latencies, len(d.sorted) < topology.MinPeers
	if !all && len(d.sorted) < len(d.members) {
		healthy = quantile.MiddleOf(d.sorted)
	}
	for i := range d.members {
		v := &d.members[i]
		v.peers = healthy.Median()
		if all || !d.courses[v.component].anomalous {
			v.peers = healthy.Without(v.latency)
		}
	}
}

// compareIdle adds one step to the evidence of members whose peers are idle. Idle peers have no
// latency, so the noise of the metric is used instead. A member without work counts as equal to its
// idle peers. A member with work has far more load than its idle peers.
func (d *Detector) compareIdle(g int, end int64) {
	p := &d.groups[g]
	d.monitor.AddNoise(g, int(idle), 0, len(d.facts.System.Groups[g].Members))
	for i := range d.members {
		v := &d.members[i]
		v.peers, v.excess = p.usual, math.Log(v.latency/p.usual)
		d.count(v, g, p, max(v.excess, 0), 1, end)
	}
	for _, c := range d.facts.System.Groups[g].Members {
		if w := &d.courses[c]; d.monitor.HasExcursion(c) && w.lastCompared != end && d.roles[c] == withPeers && w.work == 0 {
			d.count(&memberStep{component: c, latency: p.usual, peers: p.usual}, g, p, 0, 1, end)
		}
	}
}

// compareTakeover compares a path that took over its LUN with the peers of the first path to the
// LUN. Only the part of its slowness above ClearTimes counts, because the path has no peers of its
// own that show its usual latency.
func (d *Detector) compareTakeover(c int, row *table.Row) {
	g := d.facts.GroupOf(d.facts.FirstPath(d.facts.LUNOf[c]))
	p, latency := &d.groups[g], row.Values[d.facts.Lead][c]
	if d.facts.HasNoValues(row, c) || p.idle || !(p.usual > 0) || !(latency > 0) || latency >= d.stallLatency {
		return
	}
	v := memberStep{component: c, latency: latency, requests: d.facts.Requests(row, c, d.step), peers: p.usual, excess: math.Log(latency / p.usual)}
	d.count(&v, g, p, math.Log(latency/p.usual/d.criteria.ClearTimes), min(v.requests/p.requests, 1), row.End)
}

// count adds one step to the evidence of a member. The parameter `excess` is v.excess, or the part of
// v.excess that is evidence (compareIdle, compareTakeover). The slowness that the load of the member
// explains is first subtracted from `excess`. In two cases, count ends the episode of the member before
// it adds the step: the member has far more load than its peers and has work again after a pause,
// or its array has ended a rebuild or a check.
func (d *Detector) count(v *memberStep, g int, p *groupStep, excess, weight float64, end int64) {
	w := &d.courses[v.component]
	upkeep := d.facts.Upkeep[v.component]
	pause := end-w.lastCompared > d.criteria.OverSeconds && d.hasFarMoreLoad(v.component)
	if w.steps > 0 && pause || w.isUpkeep() && upkeep == table.NoWork {
		d.monitor.EndExcursion(v.component, g)
		w.reset()
	}
	load := d.loadTimes(p, w)
	if times := d.expectedRatio(g, p.usual, load); times != 1 {
		excess -= math.Log(times)
	}
	explained, logLoad := v.excess-excess, math.Log(load)
	w.minute.add(v, explained, logLoad, p.idle || d.roles[v.component] == takeover)
	effect := excess
	excess = min(excess, logMaxTimes)
	value := evidence.Value{LogRatio: excess, Tolerance: p.normalDifference, Weight: weight}
	if d.monitor.Uses(v.component, &value) {
		if v.peers != p.usual {
			effect += math.Log(p.usual / v.peers)
		}
		value.Effect = min(effect, logMaxTimes)
		value.Extra = [evidence.Extras]float64{loadRatio: logLoad, ownLatency: math.Log(v.latency), peersLatency: math.Log(v.peers) + explained}
	}
	d.monitor.AddValue(v.component, g, &value, end, d.step)
	switch {
	case d.monitor.HasExcursion(v.component):
		w.add(&sample{excess: excess, light: d.hasLightLoad(g, p.usual), own: v.latency, peers: v.peers, requests: v.requests, upkeep: upkeep})
	case w.steps > 0:
		w.reset()
	default:
		w.worst = 0
	}
	w.updateAverages(excess, end, d.keepRecent, d.keepSteady)
}

// Indexes of the extra values that the monitor averages over the same time as the effect. All extra
// values are logarithms.
const (
	loadRatio    = iota // ratio of the member's load to its peers' load
	ownLatency          // latency of the member
	peersLatency        // latency that its peers would have with its load; ownLatency − peersLatency is the effect
)

// loadTimes returns the ratio of a member's load to its peers' load, by throughput or by requests:
// the larger of the two ratios. It returns 1 if the ratio is not known.
func (d *Detector) loadTimes(p *groupStep, w *course) float64 {
	load := 0.0
	if p.idle && !d.facts.IsNoise(w.work) {
		load = d.criteria.LargeTimes
	}
	if p.work > 0 {
		load = w.work / p.work
	}
	if p.rate > 0 {
		load = max(load, w.rate/p.rate)
	}
	if load == 0 {
		return 1
	}
	return max(load, minLoad)
}

// maxTimes is an upper bound for the ratio of a component's latency to its peers' latency in one
// step or minute. A larger ratio counts as maxTimes, so that no single step or minute decides.
const maxTimes = 1000.0

var logMaxTimes = math.Log(maxTimes)

// minLoad is the smallest ratio of loads. It keeps the logarithm of a ratio finite.
const minLoad = 1e-3

// hasLightLoad reports whether the peers have so little work that requests do not wait for each
// other. It returns false for a group that was never busy, because it is then not known which
// latency the group has under light load.
func (d *Detector) hasLightLoad(g int, usual float64) bool {
	x := &d.facts.Groups[g]
	return x.Light > 0 && x.Heavy >= d.criteria.ClearTimes*x.Light && usual <= d.opts.LightTimes*x.Light
}

// expectedRatio returns the ratio of a component's latency to its peers' latency that the M/M/1
// queue predicts, if the component has a little more load than its peers (docs/method-slow.md,
// Queues). It returns 1 if the ratio of the loads is ClearTimes or more. Such a load is reported as
// a cause, so the caller must not subtract its effect from the component's excess latency.
func (d *Detector) expectedRatio(g int, usual, load float64) float64 {
	if load <= 1 || load >= d.criteria.ClearTimes {
		return 1
	}
	return criteria.QueueTimes(load, busyShare(usual, d.facts.Groups[g].Light, d.maxBusyShare()), d.maxBusyShare())
}
