package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
)

// work is what a drive did in a window, and how busy it was.
type work struct {
	bytes, requests float64 // a second
	util            float64 // percent of the time
}

func workOf(t *window.Total) work {
	return work{sectorBytes * (t.Mean(window.Read) + t.Mean(window.Written)), t.Mean(window.TPS), t.Mean(window.Util)}
}

// price is what the drives of a group need for their work in a window.
type price struct {
	util       float64 // the median of how busy they are, in percent
	await      float64 // the median
	spread     float64 // of the logarithms of their await
	perByte    float64 // percent of the time for a byte a second, the median
	perRequest float64 // and for a request a second
}

// deviation makes a median of deviations estimate a standard deviation where
// they are normal. Only what lies below the median is asked for it: what lies
// above may be slow, and must not widen what hides it.
const deviation = 1.4826

func (d *detector) priceOf(w *Window, g *Group) price {
	p := price{util: g.Medians[window.Util], await: w.Median(g, func(c int) float64 { return d.await(w, c) })}
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

// ratio is missing where there is nothing to divide by.
func ratio(a, b float64) float64 {
	if !(b > 0) {
		return table.Missing
	}
	return a / b
}

// cost is how busy a drive's work would make its peers, by their price for a
// byte or for a request, whichever is more: large requests cost by the byte,
// small ones by their number. It is missing where neither price is known.
func (p *price) cost(does work) float64 {
	byBytes, byRequests := p.perByte*does.bytes, p.perRequest*does.requests
	switch {
	case table.IsMissing(byBytes):
		return byRequests
	case table.IsMissing(byRequests):
		return byBytes
	}
	return max(byBytes, byRequests)
}

// past is what a drive has done so far.
type past struct {
	served float64 // the most bytes a second in any window
	busy   work    // when it was last busier than its work costs, and not slow
	at     int64   // when that was; 0 where it never was
	now    work    // in the window that is being judged
	dear   bool    // it is busier than its work costs, and not slow
}

// take notes the window that is being judged. It counts once all drives are.
func (p *past) take(does work, slow, busier bool) { p.now, p.dear = does, busier && !slow }

// close makes the window a part of the past.
func (p *past) close(end int64) {
	if p.now.bytes > p.served {
		p.served = p.now.bytes
	}
	if p.dear {
		p.busy, p.at = p.now, end
	}
	p.now, p.dear = work{}, false
}

// mostServed is the most that any other drive of the group served, ever or now.
func (d *detector) mostServed(w *Window, g *Group, c int) float64 {
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

// precedent is how busy another drive of the group was for no more work, and was
// not slow; 0 where none was.
func (d *detector) precedent(g *Group, c int, does work, now int64) float64 {
	most := 0.0
	for _, other := range g.Members {
		p := &d.past[other]
		if other != c && p.at > 0 && now-p.at <= d.opts.PrecedentSeconds && p.busy.bytes <= does.bytes && p.busy.requests <= does.requests {
			most = max(most, p.busy.util)
		}
	}
	return most
}

// State writes or reads what drives have done so far.
func (d *detector) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Components, d.past, func(c *state.Codec, p *past) {
		state.Int(c, &p.at)
		for _, v := range [...]*float64{&p.served, &p.busy.bytes, &p.busy.requests, &p.busy.util} {
			c.Float(v)
		}
	})
}
