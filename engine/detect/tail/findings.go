package tail

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// sumUp says what one component shows after a tick.
func (d *Detector) sumUp(c int) {
	w := &d.courses[c]
	if !d.monitor.Shows(c) {
		w.odd, w.suspect, w.told, w.nats = false, false, 0, 0
		return
	}
	if !w.isJudged {
		return
	}
	g := d.facts.GroupOf(c)
	w.nats = d.monitor.Nats(c, g)
	shows := w.now >= d.opts.ShowsShare*w.worst
	switch {
	case shows:
		w.calm = 0
	case w.calm == 0:
		w.calm = d.ticks.Last
	case d.ticks.Last-w.calm >= d.opts.CalmSeconds:
		d.monitor.End(c, g)
		*w = course{now: w.now, isJudged: true}
		return
	}
	w.odd, w.suspect = w.nats >= d.opts.OddShare*d.told && shows, w.nats >= d.told && shows
	if w.suspect {
		w.told++
	} else if w.told > 0 {
		w.told--
	}
	if w.nats >= d.sure {
		d.monitor.Known(c)
	}
}

// Findings says which components have tails.
func (d *Detector) Findings() []finding.Finding {
	var found []finding.Finding
	for _, c := range d.facts.Watched {
		if w := &d.courses[c]; w.isJudged && w.suspect {
			found = append(found, d.finding(c))
		}
	}
	return found
}

func (d *Detector) finding(c int) finding.Finding {
	w := &d.courses[c]
	t := w.clearest(d.opts.PriorRequests)
	effect, onset := t.effect(d.opts.PriorRequests), d.onset(c)
	slowMs := mean(t.slowMs, t.slow)
	usual := w.usualMs / max(w.requests, 1)
	return finding.Finding{
		Class: finding.Tail, Kind: finding.SlowTail, Place: d.facts.Alone(c), Judged: 1, Onset: onset, Nats: w.nats,
		Amount: max(t.slow-t.expected, 0) / d.opts.CostRequests, Sure: w.nats >= d.sure && effect.Low > d.opts.SureTimes,
		WaitedSeconds: max(t.slowMs-t.slow*usual, 0) / 1e3,
		Members: []finding.Member{{
			Component: c, Role: finding.IsSlow, Odd: w.odd, Windows: w.told, Ratio: math.Exp(w.now), Worst: math.Exp(w.worst),
			Effect: effect, Own: slowMs, Peers: usual, Since: onset.At,
		}},
		Evidence: d.evidence(c),
	}
}

// onset is when a component began to have more slow requests than its peers.
func (d *Detector) onset(c int) finding.Onset {
	at, off := d.monitor.Since(c), d.opts.OnsetTicks*d.ticks.Seconds
	if at-off <= d.facts.Begin {
		return finding.Before(d.facts.Begin)
	}
	return finding.Onset{At: at, Early: at - off, Late: at + off}
}

// evidence compares what all requests of a component took with those of its
// peers.
func (d *Detector) evidence(c int) []finding.Evidence {
	w := &d.courses[c]
	slow := w.clearest(d.opts.PriorRequests)
	own := d.past(c)
	first := d.monitor.Since(c)
	peer := map[float64][]float64{}
	quantiles := []float64{0.5, 0.99, 0.999}
	var apart []float64
	for _, other := range d.facts.System.Groups[d.facts.GroupOf(c)].Members {
		if past := d.past(other); other != c && total(past) > 0 {
			for _, q := range quantiles {
				peer[q] = append(peer[q], quantileMs(past, q))
			}
			apart = append(apart, distance(own, past))
		}
	}
	entry := func(name, unit string, own, peers float64) finding.Evidence {
		return finding.Evidence{Metric: name, Component: c, Unit: unit, Own: own, Peers: peers, Score: own / max(peers, tiny), Threshold: 1, Scale: finding.TimesPeers, From: first, To: d.ticks.Last}
	}
	share := entry(finding.SlowRequests, "share", mean(slow.slow, w.requests), mean(slow.expected, w.requests))
	share.Decides, share.Score, share.Threshold, share.Scale = true, w.nats, d.told, finding.Nats
	p999 := quantile.Median(peer[0.999])
	list := []finding.Evidence{share, entry(finding.SlowTime, "ms", mean(slow.slowMs, slow.slow), p999)}
	for i, name := range []string{finding.MedianTime, finding.Time99, finding.Time999} {
		list = append(list, entry(name, "ms", quantileMs(own, quantiles[i]), quantile.Median(peer[quantiles[i]])))
	}
	inDevice := entry(finding.InDevice, "share", w.deviceMs/max(w.deviceMs+w.queueMs, tiny), table.Missing)
	inDevice.Score, inDevice.Threshold = 0, 0
	far := entry(finding.CDFDistance, "octaves", quantile.Median(apart), table.Missing)
	far.Score, far.Threshold, far.Scale = far.Own, 0, finding.Distance
	return append(list, inDevice, far)
}

// tiny keeps ratios finite.
const tiny = 1e-9

// past is what requests of a component took of late, of all operations.
func (d *Detector) past(c int) []float64 {
	var sum []float64
	for op := range d.memories[c] {
		if past := d.memories[c][op].past; past != nil {
			if sum == nil {
				sum = make([]float64, len(past))
			}
			for b, n := range past {
				sum[b] += n
			}
		}
	}
	return sum
}

// distance is the area between two CDFs over the logarithm of time, in octaves:
// how far requests would have to be moved, on average, to make one distribution
// of the other.
func distance(a, b []float64) float64 {
	const bucketsInOctave = 16
	na, nb := max(total(a), tiny), max(total(b), tiny)
	ca, cb, area := 0.0, 0.0, 0.0
	for i := range min(len(a), len(b)) {
		ca, cb = ca+a[i]/na, cb+b[i]/nb
		area += math.Abs(ca - cb)
	}
	return area / bucketsInOctave
}
