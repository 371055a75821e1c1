package tail

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// update decides after a tick whether a component is odd, and whether it is a suspect: its evidence
// must reach the bound for an odd component or for a suspect, and it must still have too many slow
// requests. It ends the episode of a component that has been calm for CalmSeconds.
func (d *Detector) update(c int) {
	w := &d.courses[c]
	if !d.monitor.Shows(c) {
		w.odd, w.suspect, w.suspectTicks, w.evidence = false, false, 0, 0
		return
	}
	if !w.compared {
		return
	}
	g := d.facts.GroupOf(c)
	w.evidence = d.monitor.Evidence(c, g)
	shows := w.now >= d.opts.ShowsShare*w.worst
	switch {
	case shows:
		w.calm = 0
	case w.calm == 0:
		w.calm = d.ticks.Last
	case d.ticks.Last-w.calm >= d.opts.CalmSeconds:
		d.monitor.End(c, g)
		*w = course{now: w.now, compared: true}
		return
	}
	w.odd, w.suspect = w.evidence >= d.opts.OddShare*d.suspectEvidence && shows, w.evidence >= d.suspectEvidence && shows
	if w.suspect {
		w.suspectTicks++
	} else if w.suspectTicks > 0 {
		w.suspectTicks--
	}
	if w.evidence >= d.incidentEvidence {
		d.monitor.MarkFault(c)
	}
}

// Findings returns a finding for each compared component that is suspect.
func (d *Detector) Findings() []finding.Finding {
	var found []finding.Finding
	for _, c := range d.facts.Watched {
		if w := &d.courses[c]; w.compared && w.suspect {
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
		Class: finding.Tail, Kind: finding.SlowTail, Place: d.facts.Alone(c), Judged: 1, Onset: onset, Nats: w.evidence,
		Amount: max(t.slow-t.expected, 0) / d.opts.CostRequests, Sure: w.evidence >= d.incidentEvidence && effect.Low > d.opts.SureTimes,
		WaitedSeconds: max(t.slowMs-t.slow*usual, 0) / 1e3,
		Members: []finding.Member{{
			Component: c, Role: finding.IsSlow, Odd: w.odd, Windows: w.suspectTicks, Ratio: math.Exp(w.now), Worst: math.Exp(w.worst),
			Effect: effect, Own: slowMs, Peers: usual, Since: onset.At,
		}},
		Evidence: d.evidence(c),
	}
}

// onset returns the time at which a component began to have more slow requests than its
// peers.
func (d *Detector) onset(c int) finding.Onset {
	at, off := d.monitor.Since(c), d.opts.OnsetTicks*d.ticks.Seconds
	if at-off <= d.facts.Begin {
		return finding.Before(d.facts.Begin)
	}
	return finding.Onset{At: at, Early: at - off, Late: at + off}
}

// evidence compares the requests of a component with the requests of its peers: the
// share and the time of slow requests, percentiles of the latency, and the distance
// between the latency distributions.
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
	share.Decides, share.Score, share.Threshold, share.Scale = true, w.evidence, d.suspectEvidence, finding.EvidenceUnits
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

// tiny is the smallest divisor of a ratio. It keeps ratios finite.
const tiny = 1e-9

// past returns the past histogram of a component over all operations.
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

// distance returns the area between two CDFs over the logarithm of time, in octaves. An
// octave is a factor of two. The area is the mean distance by which requests would have
// to be moved to turn one distribution into the other.
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
