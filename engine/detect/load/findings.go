package load

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// usual holds the usual values of a component's peers: the number of requests in a tick,
// and the mean times of one request in ms.
type usual struct{ requests, waitMs, deviceMs, busyMs float64 }

func (u *usual) state(c *state.Codec) {
	for _, f := range []*float64{&u.requests, &u.waitMs, &u.deviceMs, &u.busyMs} {
		c.Float(f)
	}
}

// course is what the detector remembers about one component since the component began to get more
// requests than its peers.
type course struct {
	now      work    // sums of the last tick
	peersNow usual   // usual values of the component's peers in the last tick in which it was compared
	compared bool    // the component was compared in the last tick
	since    int64   // Unix time of the end of the first tick of the episode; 0 outside an episode
	calm     int64   // Unix time of the end of the first calm tick; 0 while the component is not calm
	by       measure // measurement that shows that the device is healthy
	own      work    // sums over the component's requests since the onset
	peers    usual   // sums since the onset: requests of a peer, and the times that the component's requests would take at a peer
	worst    float64 // largest ratio of the component's latency to its peers' latency
}

// follow adds a tick. It gets the measurement that shows that the device is healthy although its
// requests wait. If there is no such measurement (noMeasure), the tick is calm.
func (x *course) follow(by measure, u *usual, now, calmSeconds int64) {
	x.peersNow = *u
	if by == noMeasure {
		x.rest(now, calmSeconds)
	} else {
		if x.since == 0 {
			x.since = now
		}
		x.by, x.calm = by, 0
		x.worst = max(x.worst, x.now.waitMs()/max(u.waitMs, tiny))
	}
	if x.since == 0 {
		return
	}
	n := x.now.requests
	x.own.add(&x.now)
	x.peers.requests += u.requests
	x.peers.waitMs, x.peers.deviceMs, x.peers.busyMs = x.peers.waitMs+n*u.waitMs, x.peers.deviceMs+n*u.deviceMs, x.peers.busyMs+n*u.busyMs
}

// rest adds a calm tick. The episode ends after calmSeconds of calm.
func (x *course) rest(now, calmSeconds int64) {
	switch {
	case x.since == 0:
	case x.calm == 0:
		x.calm = now
	case now-x.calm >= calmSeconds:
		*x = course{now: x.now, peersNow: x.peersNow, compared: x.compared}
	}
}

// tiny is the smallest divisor of a ratio. It keeps ratios finite.
const tiny = 1e-9

// lasts reports whether the component is in an episode and the last tick was not calm.
func (x *course) lasts() bool { return x.since > 0 && x.calm == 0 }

// Findings returns a finding for each healthy component with more requests than its
// peers.
func (d *Detector) Findings() []finding.Finding {
	var found []finding.Finding
	for _, c := range d.facts.Watched {
		if x := &d.courses[c]; x.compared && x.lasts() {
			found = append(found, d.finding(c))
		}
	}
	return found
}

func (d *Detector) finding(c int) finding.Finding {
	x, onset := &d.courses[c], d.onset(c)
	wait, peers := x.own.waitMs(), x.own.each(x.peers.waitMs)
	return finding.Finding{
		Class: finding.Load, Kind: finding.WorkloadImbalance, Place: d.facts.Alone(c), Judged: 1, Onset: onset,
		Amount: float64(d.ticks.Last-x.since+d.ticks.Seconds) / float64(d.opts.LastSeconds), Sure: true,
		WaitedSeconds: max(x.own.queueMs+x.own.deviceMs-x.peers.waitMs, 0) / 1e3,
		Members: []finding.Member{{
			Component: c, Role: finding.AskedMore, Odd: true, Windows: int((d.ticks.Last-x.since)/d.ticks.Seconds) + 1,
			Ratio: x.now.waitMs() / max(peers, tiny), Worst: x.worst, Own: wait, Peers: peers, Load: x.times(), Since: onset.At,
		}},
		Evidence: d.evidence(c, onset.At),
	}
}

// times returns the ratio of a component's requests to its peers' requests.
func (x *course) times() float64 { return x.own.requests / max(x.peers.requests, tiny) }

// onset returns the time at which the load began. The detector compares averages with a half-life
// of MemorySeconds. So the load may have begun up to MemorySeconds before the first tick that shows
// it.
func (d *Detector) onset(c int) finding.Onset {
	since := d.courses[c].since
	at, early := since-d.ticks.Seconds, since-d.ticks.Seconds-int64(d.opts.MemorySeconds)
	if early <= d.facts.Begin {
		return finding.Before(d.facts.Begin)
	}
	return finding.Onset{At: at, Early: early, Late: since}
}

// evidence returns the number of requests, the latency, the time in the device and the
// busy time, each compared with the peers. Only one of the last two values decides: the
// value that shows that the device is healthy.
func (d *Detector) evidence(c int, from int64) []finding.Evidence {
	x := &d.courses[c]
	n := max(x.own.requests, 1)
	seconds := max(float64(d.ticks.Last-x.since+d.ticks.Seconds), 1)
	entry := func(name, unit string, own, peers, threshold float64, decides bool) finding.Evidence {
		return d.entry(c, from, finding.Evidence{Metric: name, Unit: unit, Own: own, Peers: peers, Threshold: threshold, Decides: decides})
	}
	list := []finding.Evidence{
		entry(finding.AskedFor, "1/s", x.own.requests/seconds, x.peers.requests/seconds, d.opts.MoreTimes, true),
		entry(finding.WaitTime, "ms", x.own.waitMs(), x.peers.waitMs/n, d.opts.WaitTimes, true),
		entry(finding.DeviceTime, "ms", x.own.device(), x.peers.deviceMs/n, d.opts.LikeTimes, x.by == byDevice),
	}
	if x.own.seconds > 0 {
		list = append(list, entry(finding.BusyTime, "ms", x.own.busy(), x.peers.busyMs/n, d.opts.LikeTimes, x.by == byBusyTime))
	}
	return list
}

// entry sets the fields that are computed in the same way for all evidence.
func (d *Detector) entry(c int, from int64, e finding.Evidence) finding.Evidence {
	e.Component, e.Score, e.Scale, e.From, e.To = c, e.Own/max(e.Peers, tiny), finding.TimesPeers, from, d.ticks.Last
	return e
}

// InDevice compares the time in the device and the busy time of a component's past
// requests with the same times of its peers. If one of these times is longer, the device
// is slow, and requests do not only wait in a queue. Unknown times are left out.
func (d *Detector) InDevice(c int) (list []finding.Evidence) {
	x, w := &d.courses[c], &d.memories[c].past
	if w.requests < d.opts.LeastRequests {
		return nil
	}
	add := func(metric string, own, peers float64) {
		if peers > 0 {
			list = append(list, d.entry(c, d.ticks.Last-int64(d.opts.MemorySeconds), finding.Evidence{
				Metric: metric, Unit: "ms", Own: own, Peers: peers, Threshold: d.opts.LikeTimes, Decides: own > d.opts.LikeTimes*peers,
			}))
		}
	}
	add(finding.DeviceTime, w.device(), x.peersNow.deviceMs)
	add(finding.BusyTime, w.busy(), x.peersNow.busyMs)
	return list
}

func (x *course) state(c *state.Codec) {
	x.now.state(c)
	x.peersNow.state(c)
	c.Bool(&x.compared)
	state.Int(c, &x.since)
	state.Int(c, &x.calm)
	state.Uint(c, &x.by)
	x.own.state(c)
	x.peers.state(c)
	c.Float(&x.worst)
}
