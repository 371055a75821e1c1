package capacity

import (
	"math"

	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// sectorBytes is the size of a sector in kernel counters.
const sectorBytes = 512

// ticksInView is the number of ticks for which a rate must stay constant. If a tick is 15 s long,
// these ticks last ten minutes. A burst of work ends earlier.
const ticksInView = 40

// throttle remembers the rates of a component over the last ticks.
type throttle struct {
	sum  work   // sums over the rows of the present tick
	rows int    // number of rows of the present tick
	view []work // means over each of the last ticks, oldest first
	// lowMs is a mean wait of a request, in ms: the smallest mean of all ticks in which requests
	// hardly waited in a queue. It is 0 if there was no such tick.
	lowMs float64
	since int64 // number of consecutive ticks, up to now, in which the rate was limited
}

// work has the requests per second and the bytes per second of a component, and the mean wait of a
// request in ms.
type work struct{ tps, bytes, await float64 }

// meanQueue returns the mean number of requests in flight.
func (w *work) meanQueue() float64 { return w.tps * w.await / 1e3 }

// add adds the requests, the bytes and the waiting time of component c in a row to the sums of the
// tick.
func (t *throttle) add(at columns, row *table.Row, c int) {
	if at.tps < 0 || at.await < 0 || at.read < 0 || at.written < 0 {
		return
	}
	tps, await := row.Values[at.tps][c], row.Values[at.await][c]
	if table.IsMissing(tps) {
		return
	}
	t.rows++
	t.sum.tps += tps
	if !table.IsMissing(await) {
		t.sum.await += tps * await
	}
	if bytes := sectorBytes * (row.Values[at.read][c] + row.Values[at.written][c]); !table.IsMissing(bytes) {
		t.sum.bytes += bytes
	}
}

// tick ends a tick, and reports whether the component is throttled.
func (t *throttle) tick(at columns, o Options, c *criteria.Options) bool {
	if at.tps < 0 || t.rows == 0 {
		return false
	}
	n := float64(t.rows)
	w := work{t.sum.tps / n, t.sum.bytes / n, t.sum.await / max(t.sum.tps, 1e-9)}
	t.sum, t.rows = work{}, 0
	if q := w.meanQueue(); w.tps > 0 && q < c.HalfShare && (t.lowMs == 0 || w.await < t.lowMs) {
		t.lowMs = w.await
	}
	if t.view = append(t.view, w); len(t.view) > ticksInView {
		t.view = t.view[1:]
	}
	if limited := t.isLimited(o, c); !limited {
		t.since = 0
		return false
	}
	t.since++
	return true
}

// isLimited reports whether the rate was limited in all ticks that are remembered (t.view). Three
// conditions must hold. Requests waited in nearly all of these ticks. The mean wait was at least
// LargeTimes · lowMs, where lowMs is the wait at a low rate. Either the requests per second or the
// bytes per second stayed within SteadyShare of their mean.
func (t *throttle) isLimited(o Options, c *criteria.Options) bool {
	if len(t.view) < ticksInView || t.lowMs == 0 {
		return false
	}
	mean, waits := t.mean(), 0
	for i := range t.view {
		if t.view[i].meanQueue() >= 1 {
			waits++
		}
	}
	return float64(waits) >= c.NearlyAllShare*ticksInView && mean.await >= c.LargeTimes*t.lowMs &&
		(t.isSteady(o, mean.tps, func(w *work) float64 { return w.tps }) || t.isSteady(o, mean.bytes, func(w *work) float64 { return w.bytes }))
}

func (t *throttle) mean() (m work) {
	for i := range t.view {
		m.tps += t.view[i].tps / ticksInView
		m.bytes += t.view[i].bytes / ticksInView
		m.await += t.view[i].await / ticksInView
	}
	return m
}

// isSteady reports whether a rate stays within SteadyShare of its mean in every tick.
func (t *throttle) isSteady(o Options, mean float64, of func(*work) float64) bool {
	for i := range t.view {
		if math.Abs(of(&t.view[i])-mean) > o.SteadyShare*mean {
			return false
		}
	}
	return mean > 0
}

// throttleFinding makes the finding about a component whose rate is throttled.
func (d *Detector) throttleFinding(c int, v *drive, now, seconds int64) finding.Finding {
	t := &v.rate
	mean := t.mean()
	since := now - (t.since-1+ticksInView)*seconds
	f := d.finding(c, finding.Throttled, since)
	entry := func(name, unit string, own, peers float64, decides bool) {
		f.Evidence = append(f.Evidence, finding.Evidence{
			Metric: name, Component: c, Decides: decides, Unit: unit, Own: own, Peers: peers, Score: mean.await / t.lowMs, Threshold: d.criteria.LargeTimes,
			Scale: finding.TimesApart, From: since, To: now,
		})
	}
	byRequests := t.isSteady(d.opts, mean.tps, func(w *work) float64 { return w.tps })
	if byRequests {
		entry(finding.LimitTPS, "1/s", mean.tps, table.Missing, true)
	} else {
		entry(finding.LimitBytes, "MB/s", mean.bytes/1e6, table.Missing, true)
	}
	entry(finding.WaitAtMost, "ms", mean.await, t.lowMs, true)
	f.Members[0].Worst, f.Members[0].Own, f.Members[0].Peers = mean.await/t.lowMs/d.criteria.LargeTimes, mean.await, t.lowMs
	return f
}

func (t *throttle) state(c *state.Codec) {
	one := func(c *state.Codec, w *work) {
		c.Float(&w.tps)
		c.Float(&w.bytes)
		c.Float(&w.await)
	}
	one(c, &t.sum)
	state.Int(c, &t.rows)
	state.List(c, &t.view, one)
	c.Float(&t.lowMs)
	state.Int(c, &t.since)
}
