package load

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// usual is what a request takes at the peers of a component, and how many they have in
// a tick.
type usual struct{ requests, waitMs, deviceMs, busyMs float64 }

func (u *usual) state(c *state.Codec) {
	for _, f := range []*float64{&u.requests, &u.waitMs, &u.deviceMs, &u.busyMs} {
		c.Float(f)
	}
}

// course is how a component went since more is asked of it than of its peers.
type course struct {
	now      work  // of the last tick
	beside   usual // its peers, of late
	isJudged bool
	since    int64 // end of the first tick that shows it; 0 where none does
	calm     int64 // end of the first tick of those that no longer do; 0 while they do
	by       measure
	own      work
	peers    usual   // their requests, and what those of the component would take at them
	worst    float64 // times as long as its peers'
}

// follow takes a tick up. By is what shows that the device is healthy while its
// requests wait.
func (x *course) follow(by measure, u *usual, now, calmSeconds int64) {
	x.beside = *u
	if by == unknown {
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

// rest takes a tick up that does not show it. After enough of them all is over.
func (x *course) rest(now, calmSeconds int64) {
	switch {
	case x.since == 0:
	case x.calm == 0:
		x.calm = now
	case now-x.calm >= calmSeconds:
		*x = course{now: x.now, beside: x.beside, isJudged: x.isJudged}
	}
}

// tiny keeps ratios finite.
const tiny = 1e-9

// lasts says whether it goes on.
func (x *course) lasts() bool { return x.since > 0 && x.calm == 0 }

// Findings says of which components more is asked than of their peers, and that they
// are healthy.
func (d *Detector) Findings() []finding.Finding {
	var found []finding.Finding
	for _, c := range d.facts.Watched {
		if x := &d.courses[c]; x.isJudged && x.lasts() {
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

// times is how many times the requests of its peers a component has.
func (x *course) times() float64 { return x.own.requests / max(x.peers.requests, tiny) }

// onset is when more began to be asked: what is counted half after a while shows it
// no sooner.
func (d *Detector) onset(c int) finding.Onset {
	since := d.courses[c].since
	at, early := since-d.ticks.Seconds, since-d.ticks.Seconds-int64(d.opts.MemorySeconds)
	if early <= d.facts.Begin {
		return finding.Before(d.facts.Begin)
	}
	return finding.Onset{At: at, Early: early, Late: since}
}

// evidence says how much is asked, how long a request takes, and where. Of the last
// two decides what shows that the device is healthy.
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

// entry fills in what all evidence has.
func (d *Detector) entry(c int, from int64, e finding.Evidence) finding.Evidence {
	e.Component, e.Score, e.Scale, e.From, e.To = c, e.Own/max(e.Peers, tiny), finding.TimesPeers, from, d.ticks.Last
	return e
}

// InDevice holds the time of a component's requests in the device, of late, against its
// peers', and for how long it is busy with one: what is slow there is no matter of the
// queue before it. What is not known is left out.
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
	add(finding.DeviceTime, w.device(), x.beside.deviceMs)
	add(finding.BusyTime, w.busy(), x.beside.busyMs)
	return list
}

func (x *course) state(c *state.Codec) {
	x.now.state(c)
	x.beside.state(c)
	c.Bool(&x.isJudged)
	state.Int(c, &x.since)
	state.Int(c, &x.calm)
	state.Uint(c, &x.by)
	x.own.state(c)
	x.peers.state(c)
	c.Float(&x.worst)
}
