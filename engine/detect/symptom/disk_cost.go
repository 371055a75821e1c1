package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
)

// work is the work of a drive in a window, and the busy time of the drive.
type work struct {
	bytes, requests float64 // bytes per second and requests per second
	util            float64 // busy time, in percent of the time
}

func workOf(t *window.Total) work {
	return work{sectorBytes * (t.Mean(window.Read) + t.Mean(window.Written)), t.Mean(window.TPS), t.Mean(window.Util)}
}

// unitCosts holds medians over the drives of a peer group in one window: how busy the drives are,
// and how much of their time a byte or a request takes.
type unitCosts struct {
	util       float64 // median busy time, in percent
	await      float64 // median latency of requests, in ms
	spread     float64 // standard deviation of the logarithms of the drives' latencies
	perByte    float64 // median percentage of its time that a drive needs for one byte per second
	perRequest float64 // median percentage of its time that a drive needs for one request per second
	size       float64 // median size of requests, in sectors
	reads      float64 // median share of reads in all bytes, in percent
}

// deviation is the ratio of the standard deviation to the median absolute deviation, for
// values with a normal distribution. unitCostsOf uses only latencies that are not above
// the median. Latencies above the median may come from slow drives. Slow drives would
// widen the spread, and a wide spread would hide slow drives.
const deviation = 1.4826

func (d *diskDetector) unitCostsOf(w *Window, g *Group) unitCosts {
	p := unitCosts{util: g.Medians[window.Util], await: w.Median(g, func(c int) float64 { return d.await(w, c) })}
	p.spread = deviation * w.Median(g, func(c int) float64 {
		if below := math.Log(p.await / d.await(w, c)); below >= 0 {
			return below
		}
		return table.Missing
	})
	p.perByte = w.Median(g, func(c int) float64 { does := workOf(&w.ByComponent[c]); return ratio(does.util, does.bytes) })
	p.perRequest = w.Median(g, func(c int) float64 { does := workOf(&w.ByComponent[c]); return ratio(does.util, does.requests) })
	p.size = w.Median(g, func(c int) float64 { return requestSize(workOf(&w.ByComponent[c])) })
	p.reads = w.Median(g, func(c int) float64 { return readShare(&w.ByComponent[c]) })
	return p
}

// ratio returns a/b, or a missing value if b is not positive.
func ratio(a, b float64) float64 {
	if !(b > 0) {
		return table.Missing
	}
	return a / b
}

// cost returns how busy a peer would be with the work of a drive, in percent of the time. It
// computes one busy time from the number of bytes and one from the number of requests, and returns
// the larger. The reason is that the time for large requests depends on their bytes, and the time
// for small requests depends on their number. It returns a missing value if neither busy time is
// known.
func (p *unitCosts) cost(does work) float64 {
	byBytes, byRequests := p.perByte*does.bytes, p.perRequest*does.requests
	switch {
	case table.IsMissing(byBytes):
		return byRequests
	case table.IsMissing(byRequests):
		return byBytes
	}
	return max(byBytes, byRequests)
}

// past holds the work of a drive in earlier windows and in this window.
type past struct {
	maxServed float64 // largest number of bytes per second in any window
	usual     float64 // usual number of bytes per second: the first window with work, then a mean with a half-life of SameCauseSeconds
	busy      work    // work in the last window in which the drive was healthy, but busier than a peer with the same work would be
	busyAt    int64   // Unix time of the end of the window in which past.busy was measured; 0 if there was no such window
	now       work    // work in this window
	slowAt    int64   // Unix time of the end of the last window in which the drive waited too long; 0 if there was no such window
	isCostly  bool    // in this window the drive is healthy, but busier than a peer with the same work would be
}

// take stores the work of this window. The caller ends the window with past.close.
func (p *past) take(does work, slow, busier bool) { p.now, p.isCostly = does, busier && !slow }

// close ends a window: it updates past.maxServed and past.usual. If the drive was healthy, but
// busier than a peer would be with the same work, close also stores the work as past.busy. The
// parameter `keep` is the weight that past.usual keeps.
func (p *past) close(end int64, keep float64) {
	if p.now.bytes > p.maxServed {
		p.maxServed = p.now.bytes
	}
	if p.usual == 0 {
		p.usual = p.now.bytes
	}
	if p.now.bytes > 0 {
		p.usual = keep*p.usual + (1-keep)*p.now.bytes
	}
	if p.isCostly {
		p.busy, p.busyAt = p.now, end
	}
	p.now, p.isCostly = work{}, false
}

// maxServedByPeers returns the largest throughput of any other drive of the group in any
// window so far, in bytes per second.
func (d *diskDetector) maxServedByPeers(w *Window, g *Group, c int) float64 {
	most := 0.0
	for _, other := range g.Members {
		if other == c {
			continue
		}
		most = max(most, d.past[other].maxServed)
		if now := workOf(&w.ByComponent[other]).bytes; now > most {
			most = now
		}
	}
	return most
}

// busiestHealthyPeer looks for healthy peers that were busy with no more work than this drive has
// now (does). Only windows of the last SameCauseSeconds count (past.busy). It returns the largest
// busy time of such a peer, in percent. It returns 0 if there is no such peer.
func (d *diskDetector) busiestHealthyPeer(g *Group, c int, does work, now int64) float64 {
	most := 0.0
	for _, other := range g.Members {
		p := &d.past[other]
		if other != c && p.busyAt > 0 && now-p.busyAt <= d.criteria.SameCauseSeconds && p.busy.bytes <= does.bytes && p.busy.requests <= does.requests {
			most = max(most, p.busy.util)
		}
	}
	return most
}

// demandRose reports whether two conditions hold: clients request more from the whole group than
// usual, and they do not request less from this drive than from its peers. Then the load explains
// why the drive waits: if all drives are near saturation, most requests wait at one drive, even if
// this drive is not slower than its peers. A fault of a drive does not make its peers serve more
// than usual. If most drives keep the additional work, it becomes usual within hours, and load no
// longer explains the wait. The result is false if the drive waited too long in the last
// SameCauseSeconds: then its wait began before the additional load.
func (d *diskDetector) demandRose(w *Window, g *Group, c int, does work) bool {
	if at := d.past[c].slowAt; at > 0 && w.End-at <= d.criteria.SameCauseSeconds {
		return false
	}
	rise := w.Median(g, func(other int) float64 {
		if other == c {
			return table.Missing
		}
		return ratio(workOf(&w.ByComponent[other]).bytes, d.past[other].usual)
	})
	typical := w.Median(g, func(other int) float64 { return workOf(&w.ByComponent[other]).bytes })
	return rise >= d.criteria.SmallestTimes && d.criteria.SmallestTimes*does.bytes >= typical
}

// versionWithoutUsual is the last version of an engine's saved state without past.usual.
const versionWithoutUsual = 22

// State writes or reads the past of all drives.
func (d *diskDetector) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Components, d.past, func(c *state.Codec, p *past) {
		state.Int(c, &p.busyAt)
		for _, v := range [...]*float64{&p.maxServed, &p.busy.bytes, &p.busy.requests, &p.busy.util} {
			c.Float(v)
		}
		if c.IsAfter(versionWithoutUsual) {
			c.Float(&p.usual)
			state.Int(c, &p.slowAt)
		}
	})
}
