package requests

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// usualValues holds the usual values of a component's peers: the number of requests in a tick,
// and the mean times of one request in ms.
type usualValues struct{ requests, waitMs, deviceMs, busyMs float64 }

func (u *usualValues) state(c *state.Codec) {
	for _, f := range []*float64{&u.requests, &u.waitMs, &u.deviceMs, &u.busyMs} {
		c.Float(f)
	}
}

// compareLoad compares the load of the members of a group in this tick. A tick is calm for a member
// if it does not show that requests wait because of the member's load (followQueue). Members with
// too few requests are not compared, and the tick counts as calm for them. If fewer than three
// members have enough requests, there are too few peers, and the tick counts as calm for all
// members.
func (d *Detector) compareLoad(g int) {
	var all []int
	for _, c := range d.members(g) {
		m, x := &d.memories[c], &d.courses[c]
		if m.recent.requests >= d.opts.LeastRequests && x.work.requests > 0 {
			all = append(all, c)
		} else {
			d.addCalmTick(c, x.work.requests > 0 || x.work.isIdle())
		}
	}
	if len(all) < topology.MinPeers {
		for _, c := range all {
			d.addCalmTick(c, false)
		}
		return
	}
	peers := d.peersOf(all)
	for _, c := range all {
		d.courses[c].loadSeen = true
		d.followQueue(c, &peers)
	}
}

// addCalmTick adds a calm tick for a component whose load is not compared in this tick. The
// parameter `known` is true if the component is known to have few requests or none.
func (d *Detector) addCalmTick(c int, known bool) {
	x := &d.courses[c]
	x.loadSeen = known
	x.queue.addCalmTick(d.ticks.Last, d.criteria.RecoverSeconds)
}

// peers holds the middle values of several quantities over the compared members of a group. From
// these values the median of a member's peers is computed, without the member itself.
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
	recent := func(of func(*work) float64) quantile.Middle {
		return middle(func(c int) float64 { return of(&d.memories[c].recent) })
	}
	return peers{
		requests: recent(func(w *work) float64 { return w.requests }), wait: recent((*work).waitMs), device: recent((*work).deviceMsPerRequest), busy: recent((*work).busy),
		size: recent((*work).size), reads: recent((*work).readPart),
		now:    middle(func(c int) float64 { return d.courses[c].work.requests }),
		median: middle(func(c int) float64 { return quantileMs(d.memories[c].times, 0.5) }),
	}
}

// followQueue compares the load of component c with the load of its peers. It tests three
// conditions: the component gets more requests, these requests wait longer, and the device is
// healthy.
func (d *Detector) followQueue(c int, p *peers) {
	m, x := &d.memories[c], &d.courses[c]
	w := &m.recent
	x.usual = usualValues{
		requests: p.now.Without(x.work.requests), waitMs: p.wait.Without(w.waitMs()),
		deviceMs: p.device.Without(w.deviceMsPerRequest()), busyMs: p.busy.Without(w.busy()),
	}
	more := w.requests >= d.criteria.ClearTimes*p.requests.Without(w.requests) && w.waitMs() >= d.criteria.ClearTimes*x.usual.waitMs
	by := noMeasure
	if more && d.hasSimilarRequests(w, p) {
		by = d.healthMeasure(m, &x.usual, p.median.Without(quantileMs(m.times, 0.5)))
	}
	x.queue.follow(by, &x.work, &x.usual, d.ticks.Last, d.criteria.RecoverSeconds)
}

// hasSimilarRequests reports whether a component and its peers have about the same size of requests
// and share of reads.
func (d *Detector) hasSimilarRequests(w *work, p *peers) bool {
	size, reads := p.size.Without(w.size()), p.reads.Without(w.readPart())
	return w.size() <= d.criteria.DoubleTimes*size && size <= d.criteria.DoubleTimes*w.size() && math.Abs(w.readPart()-reads) <= d.criteria.QuarterShare
}

// measure is the kind of measurement that shows that a device is as fast as its peers.
type measure uint8

const (
	noMeasure  measure = iota // no measurement shows that the device is healthy
	byDevice                  // the time from issue to completion
	byBusyTime                // the busy time per request
)

// healthMeasure returns the measurement that shows that a device is healthy, or noMeasure if no
// measurement shows it. There are two such measurements:
//
//   - byDevice: the time from issue to completion is about as long as the time of the peers.
//     Requests wait in the kernel's queue.
//   - byBusyTime: the busy time per request is about as long as the busy time of the peers, and
//     requests that find the device idle take no longer than the peers' requests. Such a device
//     accepts several requests at the same time and serves them one by one, so that they wait in
//     the device.
//
// If a device is idle for a share ι of the time, about a share ι of its requests find it idle.
// These requests take only the service time, so they are the fastest. Their median is the quantile
// ι/2 of all requests. This quantile, divided by the median of the peers' requests, must be at most
// healthyTimes.
func (d *Detector) healthMeasure(m *memory, u *usualValues, median float64) measure {
	like, idle := d.healthyTimes(), m.recent.idleShare()
	switch {
	case m.recent.deviceMsPerRequest() <= like*u.deviceMs:
		return byDevice
	case idle >= d.criteria.FewShare && m.recent.busy() <= like*u.busyMs && quantileMs(m.times, idle/2) <= like*median:
		return byBusyTime
	}
	return noMeasure
}

// LoadExplains reports whether load alone explains the latency of a component. It returns true if
// the last tick showed that requests wait because of the load. It also returns true if the
// component is in an episode of higher load and had no requests in the last tick.
func (d *Detector) LoadExplains(c int) bool {
	x := &d.courses[c]
	return d.hasLatencies && (x.queue.isActive() || x.queue.began > 0 && x.work.requests == 0)
}

// queue holds sums over an episode: the time in which a healthy component gets more requests than
// its peers, so that its requests wait.
type queue struct {
	began         int64       // Unix time of the end of the first tick of the episode; 0 outside an episode
	calmSince     int64       // Unix time of the end of the first calm tick; 0 while the component is not calm
	healthMeasure measure     // measurement that shows that the device is healthy
	own           work        // sums over the component's requests since the onset
	peers         usualValues // sums since the onset: number of requests of a typical peer, and times that the component's requests would have taken at a peer
	effect        ratio       // time of its requests, compared with its peers
	worst         float64     // largest ratio of the component's latency to its peers' latency
}

// follow adds a tick to the sums of the episode of higher load. The parameter `by` is the
// measurement that shows that the device is healthy although its requests wait. If `by` is
// noMeasure, the tick is calm: it does not show that requests wait because of the load.
func (q *queue) follow(by measure, w *work, u *usualValues, now, calmSeconds int64) {
	if by == noMeasure {
		q.addCalmTick(now, calmSeconds)
	} else {
		if q.began == 0 {
			q.began = now
		}
		q.healthMeasure, q.calmSince = by, 0
		q.worst = max(q.worst, w.waitMs()/max(u.waitMs, tiny))
	}
	if q.began == 0 {
		return
	}
	n := w.requests
	q.own.add(w)
	q.peers.requests += u.requests
	q.peers.waitMs, q.peers.deviceMs, q.peers.busyMs = q.peers.waitMs+n*u.waitMs, q.peers.deviceMs+n*u.deviceMs, q.peers.busyMs+n*u.busyMs
}

// addCalmTick adds a tick that does not show that requests wait because of the load. If all ticks
// of the last calmSeconds were calm in this way, it ends the episode of higher load.
func (q *queue) addCalmTick(now, calmSeconds int64) {
	switch {
	case q.began == 0:
	case q.calmSince == 0:
		q.calmSince = now
	case now-q.calmSince >= calmSeconds:
		*q = queue{}
	}
}

// isActive reports whether the component is in an episode of higher load, and the last tick showed
// that requests wait because of this load.
func (q *queue) isActive() bool { return q.began > 0 && q.calmSince == 0 }

// Queues returns a finding for each component whose requests wait only because of its load.
func (d *Detector) Queues() []finding.Finding {
	var found []finding.Finding
	for _, c := range d.facts.Attachments {
		if d.courses[c].loadSeen && d.Verdict(c) == Queued {
			found = append(found, d.queueFinding(c))
		}
	}
	return found
}

func (d *Detector) queueFinding(c int) finding.Finding {
	x, onset := &d.courses[c], d.queueOnset(c)
	q := &x.queue
	wait, peers := q.own.waitMs(), q.own.perRequest(q.peers.waitMs)
	return finding.Finding{
		Class: finding.Load, Kind: finding.WorkloadImbalance, Place: d.facts.PlaceIfAlone(c), Judged: 1, Onset: onset,
		Amount: float64(d.ticks.Last-q.began+d.ticks.Seconds) / float64(d.criteria.BurstSeconds), Sure: true,
		WaitedSeconds: max(q.own.queueMs+q.own.deviceMs-q.peers.waitMs, 0) / 1e3,
		Members: []finding.Member{{
			Component: c, Role: finding.AskedMore, Odd: true, Windows: int((d.ticks.Last-q.began)/d.ticks.Seconds) + 1,
			Ratio: x.work.waitMs() / max(peers, tiny), Worst: q.worst, Effect: q.effect.effect(), Own: wait, Peers: peers, Load: q.loadRatio(), Since: onset.At,
		}},
		Evidence: d.queueEvidence(c, onset.At),
	}
}

// loadRatio returns the ratio of a component's requests to its peers' requests.
func (q *queue) loadRatio() float64 { return q.own.requests / max(q.peers.requests, tiny) }

// queueOnset returns the time at which the load began. The detector compares averages with a
// half-life of recentSeconds. So the load may have begun up to recentSeconds before the first tick
// that shows it.
func (d *Detector) queueOnset(c int) finding.Onset {
	since := d.courses[c].queue.began
	at, early := since-d.ticks.Seconds, since-d.ticks.Seconds-d.recentSeconds()
	if early <= d.facts.Begin {
		return finding.OnsetBefore(d.facts.Begin)
	}
	return finding.Onset{At: at, Early: early, Late: since}
}

// queueEvidence returns the number of requests, the latency, the time in the device and the busy
// time, each compared with the peers. Either the time in the device or the busy time has shown that
// the device is healthy (healthMeasure). The field Decides is set for this measurement.
func (d *Detector) queueEvidence(c int, from int64) []finding.Evidence {
	q := &d.courses[c].queue
	n := max(q.own.requests, 1)
	seconds := max(float64(d.ticks.Last-q.began+d.ticks.Seconds), 1)
	entry := func(name, unit string, own, peers, threshold float64, decides bool) finding.Evidence {
		return d.completed(c, from, finding.Evidence{Metric: name, Unit: unit, Own: own, Peers: peers, Threshold: threshold, Decides: decides})
	}
	list := []finding.Evidence{
		entry(finding.AskedFor, "1/s", q.own.requests/seconds, q.peers.requests/seconds, d.criteria.ClearTimes, true),
		entry(finding.WaitTime, "ms", q.own.waitMs(), q.peers.waitMs/n, d.criteria.ClearTimes, true),
		entry(finding.DeviceTime, "ms", q.own.deviceMsPerRequest(), q.peers.deviceMs/n, d.healthyTimes(), q.healthMeasure == byDevice),
	}
	if q.own.seconds > 0 {
		list = append(list, entry(finding.BusyTime, "ms", q.own.busy(), q.peers.busyMs/n, d.healthyTimes(), q.healthMeasure == byBusyTime))
	}
	return list
}

func (q *queue) state(c *state.Codec) {
	state.Int(c, &q.began)
	state.Int(c, &q.calmSince)
	state.Uint(c, &q.healthMeasure)
	q.own.state(c)
	q.peers.state(c)
	q.effect.state(c)
	c.Float(&q.worst)
}
