package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
)

// work is the work of a drive in a window, and its busy time.
type work struct {
	bytes, requests float64 // per second
	util            float64 // percent of the time
}

func workOf(t *window.Total) work {
	return work{sectorBytes * (t.Mean(window.Read) + t.Mean(window.Written)), t.Mean(window.TPS), t.Mean(window.Util)}
}

// unitCosts are the costs of work on the drives of a group in a window.
type unitCosts struct {
	util       float64 // median busy time, in percent
	await      float64 // median latency
	spread     float64 // standard deviation of the logarithms of the drives' latencies
	perByte    float64 // median percentage of the time for one byte per second
	perRequest float64 // median percentage of the time for one request per second
}

// deviation turns a median absolute deviation into a standard deviation, for normal
// values. Only values below the median count. Values above the median may come from slow
// drives, which must not widen the spread, because a wide spread would hide them.
const deviation = 1.4826

func (d *diskDetector) unitCostsOf(w *Window, g *Group) unitCosts {
	p := unitCosts{util: g.Medians[window.Util], await: w.Median(g, func(c int) float64 { return d.await(w, c) })}
	p.spread = deviation * w.Median(g, func(c int) float64 {
		if below := math.Log(p.await / d.await(w, c)); below >= 0 {
			return below
		}
		return table.Missing
	})
	p.perByte = w.Median(g, func(c int) float64 { does := workOf(&w.Of[c]); return ratio(does.util, does.bytes) })
	p.perRequest = w.Median(g, func(c int) float64 { does := workOf(&w.Of[c]); return ratio(does.util, does.requests) })
	return p
}

// ratio returns a/b, or a missing value if b is not positive.
func ratio(a, b float64) float64 {
	if !(b > 0) {
		return table.Missing
	}
	return a / b
}

// cost returns how busy a drive's work would make its peers, in percent of the time: by
// the peers' cost of a byte or of a request, whichever gives more. The cost of large
// requests depends on their bytes, that of small requests on their number. The result is
// missing if neither cost is known.
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

// past is the past work of a drive.
type past struct {
	served float64 // largest number of bytes per second in any window
	busy   work    // last work at which the drive was busier than its work costs the peers, and not slow
	at     int64   // end of the window in which busy was measured; 0 if there was none
	now    work    // work in this window
	dear   bool    // in this window the drive is busier than its work costs the peers, and not slow
}

// take sets the work of this window. The method close then adds it to the past.
func (p *past) take(does work, slow, busier bool) { p.now, p.dear = does, busier && !slow }

// close adds this window to the past.
func (p *past) close(end int64) {
	if p.now.bytes > p.served {
		p.served = p.now.bytes
	}
	if p.dear {
		p.busy, p.at = p.now, end
	}
	p.now, p.dear = work{}, false
}

// mostServed returns the largest work of any other drive of the group, in the past or
// now.
func (d *diskDetector) mostServed(w *Window, g *Group, c int) float64 {
	most := 0.0
	for _, other := range g.Members {
		if other == c {
			continue
		}
		most = max(most, d.past[other].served)
		if now := workOf(&w.Of[other]).bytes; now > most {
			most = now
		}
	}
	return most
}

// precedent returns the busy time of another drive of the group that did no more work
// and was not slow, or 0.
func (d *diskDetector) precedent(g *Group, c int, does work, now int64) float64 {
	most := 0.0
	for _, other := range g.Members {
		p := &d.past[other]
		if other != c && p.at > 0 && now-p.at <= d.opts.PrecedentSeconds && p.busy.bytes <= does.bytes && p.busy.requests <= does.requests {
			most = max(most, p.busy.util)
		}
	}
	return most
}

// State writes or reads the past of all drives.
func (d *diskDetector) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Components, d.past, func(c *state.Codec, p *past) {
		state.Int(c, &p.at)
		for _, v := range [...]*float64{&p.served, &p.busy.bytes, &p.busy.requests, &p.busy.util} {
			c.Float(v)
		}
	})
}
