package requests

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Findings returns a finding for each component that was compared and has more slow requests than
// its peers. The class is finding.Slow if the component is slow as a whole, and finding.Tail if
// only a part of its requests is delayed.
func (d *Detector) Findings() []finding.Finding {
	var found []finding.Finding
	for _, c := range d.facts.Attachments {
		if x := &d.courses[c]; x.judged && x.slow.suspect {
			found = append(found, d.finding(c))
		}
	}
	return found
}

func (d *Detector) finding(c int) finding.Finding {
	e, verdict := &d.courses[c].slow, d.Verdict(c)
	t := &e.beyond[e.clearestBound(priorRequests)]
	slow, onset := t.ratioWithInterval(priorRequests), d.onset(c)
	usual := mean(e.usualMs, e.requests)
	f := finding.Finding{
		Class: finding.Tail, Kind: finding.SlowTail, Place: d.facts.PlaceIfAlone(c), Judged: 1, Onset: onset, Nats: e.evidence,
		Amount: max(t.slow-t.expected, 0) / d.opts.CostRequests, Sure: e.evidence >= d.incidentEvidence && slow.Low > d.criteria.DoubleTimes,
		WaitedSeconds: max(t.slowMs-t.slow*usual, 0) / 1e3,
		Members: []finding.Member{{
			Component: c, Role: finding.IsSlow, Odd: e.anomalous, Windows: e.suspectTicks, Ratio: math.Exp(e.now), Worst: math.Exp(e.worst),
			Effect: slow, Own: mean(t.slowMs, t.slow), Peers: usual, Since: onset.At,
		}},
		Evidence: d.slowEvidence(c),
	}
	if verdict == Shifted {
		d.slowFinding(c, &f)
	}
	return f
}

// slowFinding changes f to the finding of a component that is slow as a whole. The effect is then
// the ratio of the mean time of its requests to the mean time of its peers' requests, as in package
// slow.
func (d *Detector) slowFinding(c int, f *finding.Finding) {
	e, m := &d.courses[c].slow, &f.Members[0]
	f.Class, f.Kind = finding.Slow, finding.SlowDrive
	if d.facts.Component(c).LUN != "" {
		f.Kind = finding.SingleLUN
	}
	// In class finding.Slow, a healthy component reaches evidence of n nats by chance once in eⁿ
	// steps. The evidence of this detector reaches n nats by chance once in eⁿ ticks. So this
	// evidence is converted.
	f.Nats += math.Log(float64(d.ticks.Seconds) / d.step)
	f.WaitedSeconds = max(e.deviceMs-e.peersMs, 0) / 1e3
	toLead := 1.0 // factor that converts ms to the unit of the leading metric
	if unit := d.facts.LeadSeconds(); unit > 0 {
		toLead = 1e-3 / unit
	}
	if r := &e.effect; r.minutes > 0 {
		m.Effect, m.Own, m.Peers, m.Load = r.effect(), toLead*r.mean(r.own), toLead*r.mean(r.peers), r.mean(r.load)
	} else { // no whole minute has passed since the onset
		times := e.deviceMs / max(e.peersMs, tiny)
		m.Effect, m.Own, m.Peers = finding.Effect{Times: times}, toLead*mean(e.deviceMs, e.requests), toLead*mean(e.peersMs, e.requests)
	}
	m.Ratio, m.Worst = m.Effect.Times, m.Effect.Times
}

// onset returns the time at which a component began to have more slow requests than its peers. It
// is uncertain by onsetSeconds or one tick, whichever is longer.
func (d *Detector) onset(c int) finding.Onset {
	at, off := d.monitor.ExcursionBegan(c), max(onsetSeconds, d.ticks.Seconds)
	if at-off <= d.facts.Begin {
		return finding.OnsetBefore(d.facts.Begin)
	}
	return finding.Onset{At: at, Early: at - off, Late: at + off}
}

// slowEvidence compares the requests of a component with the requests of its peers: the
// share and the time of slow requests, percentiles of the latency, and the distance
// between the latency distributions.
func (d *Detector) slowEvidence(c int) []finding.Evidence {
	e, from := &d.courses[c].slow, d.monitor.ExcursionBegan(c)
	b := e.clearestBound(priorRequests)
	slow, each := &e.beyond[b], &e.shares[b]
	own := d.memories[c].past()
	peer := map[float64][]float64{}
	var apart []float64
	for _, other := range d.members(d.facts.GroupOf(c)) {
		if past := d.memories[other].past(); other != c && totalRequests(past) > 0 {
			for _, p := range percentiles {
				peer[p.share] = append(peer[p.share], quantileMs(past, p.share))
			}
			apart = append(apart, distance(own, past))
		}
	}
	entry := func(name, unit string, own, peers float64) finding.Evidence {
		return d.completed(c, from, finding.Evidence{Metric: name, Unit: unit, Own: own, Peers: peers, Threshold: 1})
	}
	share := entry(finding.SlowRequests, "share", mean(each.slow, e.ticks), mean(each.expected, e.ticks))
	share.Decides, share.Score, share.Threshold, share.Scale = true, e.evidence, d.suspectEvidence, finding.EvidenceUnits
	list := []finding.Evidence{share, entry(finding.SlowTime, "ms", mean(slow.slowMs, slow.slow), quantile.Median(peer[0.999]))}
	for _, p := range percentiles {
		list = append(list, entry(p.metric, "ms", quantileMs(own, p.share), quantile.Median(peer[p.share])))
	}
	inDevice := entry(finding.InDevice, "share", e.deviceMs/max(e.deviceMs+e.queueMs, tiny), table.Missing)
	inDevice.Score, inDevice.Threshold = 0, 0
	far := entry(finding.CDFDistance, "octaves", quantile.Median(apart), table.Missing)
	far.Score, far.Threshold, far.Scale = far.Own, 0, finding.Distance
	return append(list, inDevice, far)
}

// percentiles lists the percentiles of the time in the device that a finding contains as evidence.
var percentiles = []struct {
	metric string
	share  float64
}{{finding.MedianTime, 0.5}, {finding.Time99, 0.99}, {finding.Time999, 0.999}}

// Evidence returns evidence from the requests of a component, for a problem that package slow found
// in the mean latency. If the component has more slow requests than its peers, this is the share of
// slow requests, percentiles, and the part of the time in the device, all since the onset.
// Otherwise it is the recent time in the device and the recent busy time, each compared with the
// peers. If one of these times is longer than at the peers, the device itself is slow, and a queue
// is not the only reason. The recent times contain requests from before the onset, so they are not
// returned beside measurements since the onset: the two would differ. Unknown times are left out.
func (d *Detector) Evidence(c int) (list []finding.Evidence) {
	x, w := &d.courses[c], &d.memories[c].recent
	if x.slow.suspect {
		return d.slowEvidence(c)
	}
	if w.requests < d.opts.LeastRequests {
		return nil
	}
	add := func(metric string, own, peers float64) {
		if peers > 0 {
			list = append(list, d.completed(c, d.ticks.Last-d.recentSeconds(), finding.Evidence{
				Metric: metric, Unit: "ms", Own: own, Peers: peers, Threshold: d.healthyTimes(), Decides: own > d.healthyTimes()*peers,
			}))
		}
	}
	add(finding.DeviceTime, w.deviceMsPerRequest(), x.usual.deviceMs)
	add(finding.BusyTime, w.busy(), x.usual.busyMs)
	return list
}

// completed returns `e` with further fields set. These fields are computed in the same way for
// every measurement.
func (d *Detector) completed(c int, from int64, e finding.Evidence) finding.Evidence {
	e.Component, e.Score, e.Scale, e.From, e.To = c, e.Own/max(e.Peers, tiny), finding.TimesPeers, from, d.ticks.Last
	return e
}

// tiny is the smallest divisor of a ratio, so that every ratio is finite.
const tiny = 1e-9

// distance returns the area between the cumulative distributions of two histograms, over the
// logarithm of time, in octaves. An octave is a factor of two. The area is the mean number of
// octaves by which times would have to change to turn one distribution into the other.
func distance(a, b []float64) float64 {
	const bucketsInOctave = 16
	na, nb := max(totalRequests(a), tiny), max(totalRequests(b), tiny)
	ca, cb, area := 0.0, 0.0, 0.0
	for i := range min(len(a), len(b)) {
		ca, cb = ca+a[i]/na, cb+b[i]/nb
		area += math.Abs(ca - cb)
	}
	return area / bucketsInOctave
}
