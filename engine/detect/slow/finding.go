package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// finding makes a finding of an explanation.
func (d *Detector) finding(s *explanation) finding.Finding {
	f := finding.Finding{Class: finding.Slow, Place: s.at, Judged: s.judged, Onset: d.commonOnset(s.members), Alike: s.alike, Gathers: s.gathers}
	loaded := 0
	for _, c := range s.members {
		f.Members = append(f.Members, d.member(c))
		f.Nats = max(f.Nats, d.courses[c].nats)
		f.WaitedSeconds += d.waitedSeconds(c)
		if d.hasFarMoreLoad(c) {
			loaded++
		}
	}
	f.Kind = kindOf(s.at.Tier, float64(loaded) > d.opts.LoadedShare*float64(len(s.members)))
	if in, out := split(s.members, func(c int) bool { return d.courses[c].isUpkeep() }); len(in) > len(out) {
		f.Kind = finding.ArrayUpkeep
	}
	f.Amount, f.Sure = d.amount(s.members, s.burst()), d.isSure(s)
	f.Until, f.MayBe = d.until(s, f.Kind, f.Onset), d.mayBe(s, f.Kind, f.Onset)
	if len(s.members) > 1 {
		f.Elsewhere = d.elsewhere(s.at)
	}
	return f
}

func (d *Detector) member(c int) finding.Member {
	w := &d.courses[c]
	return finding.Member{
		Component: c, Role: w.role(), Odd: w.odd, Windows: w.ticks, Ratio: math.Exp(w.now), Worst: math.Exp(w.worst),
		Effect: d.effect(c), Own: d.since(c, ownLatency), Peers: d.since(c, peersLatency), Load: d.since(c, theLoad), Since: d.onsetOf(c).At,
	}
}

// effect is how many times slower a component is since the onset, with the interval
// that holds it in nineteen of twenty cases.
func (d *Detector) effect(c int) finding.Effect {
	s := d.monitor.Change(c)
	mean, off := s.Mean(), s.Error(d.monitor.Spread(d.groupOf(c)))
	if most := d.opts.MostTimes; mean > math.Log(most)-capNats {
		return finding.Effect{Times: most, Low: most, High: math.Inf(1)} // more is not counted
	}
	return finding.Effect{Times: math.Exp(mean), Low: math.Exp(mean - off), High: math.Exp(mean + off)}
}

// capNats is what a few steps that were less take from a mean of what is not counted.
const capNats = 0.01

// since is the mean, since the onset, of what stands beside how slow a component is.
func (d *Detector) since(c, beside int) float64 { return math.Exp(d.monitor.Change(c).Beside(beside)) }

// waitedSeconds is how long requests to a component waited in all, beyond what
// they wait for at its peers; 0 where the number of requests is not known.
func (d *Detector) waitedSeconds(c int) float64 {
	if !d.facts.CountsRequests() {
		return 0
	}
	return d.courses[c].waited * d.facts.LeadSeconds()
}

// amount is how slow times how long, over all members: 1 makes an incident.
//
// Where requests are counted, they must have waited for long enough as well: a
// component that is many times slower and has next to nothing to do wakes nobody. A path
// that stands by is the exception, since any request to it is odd. A burst of work may
// explain what many members share for a while. Then only what exceeds such a burst
// counts.
func (d *Detector) amount(members []int, burst bool) float64 {
	discount := 1.0
	if burst && d.ticked-d.commonOnset(members).At < d.opts.BusySeconds {
		discount = d.opts.BusyTimes
	}
	steps, seconds := 0.0, 0.0
	for _, c := range members {
		steps, seconds = steps+d.courses[c].costSteps(discount), seconds+d.waitedSeconds(c)
	}
	amount := steps / d.opts.CostSteps
	if d.facts.CountsRequests() && !d.standsBy(d.groupOf(members[0])) {
		amount = min(amount, seconds/d.opts.CostSeconds)
	}
	return amount
}

// isSure says whether an explanation is beyond doubt. What several share has passed the
// test of localisation, which asks how likely it is that so many are slow at once
// by chance.
func (d *Detector) isSure(s *explanation) bool {
	if s.at.Wide() && len(s.members) > 1 {
		return true
	}
	return slices.ContainsFunc(s.members, func(c int) bool {
		w := &d.courses[c]
		smallest := d.smallest * math.Exp(d.groups[d.groupOf(c)].apart)
		return w.nats >= d.sure && d.effect(c).Low > smallest
	})
}

// until is the time before which an explanation makes no incident, whatever it amounts to: a LUN
// that works on its requests no longer than one that rebuilds a drive may do just that, more
// load than the peers have, or a burst that hits all of an array, may be a job that ends, and
// what a queue may explain waits until it is known how busy the peers are.
func (d *Detector) until(s *explanation, k finding.Kind, onset finding.Onset) int64 {
	switch {
	case len(s.members) > 1 && s.at.Wide():
		return onset.At + d.opts.WideSeconds
	case k == finding.WorkloadImbalance:
		return d.lasts(s.members, d.opts.ImbalanceSeconds)
	case k == finding.SingleLUN && !d.slowerThanRebuild(s.members, d.opts.RebuildTimes):
		return onset.At + d.opts.RebuildSeconds
	case len(s.members) == 1 && d.mayQueue(s.members[0]):
		return d.facts.Begin + d.opts.AcquaintSeconds
	}
	return 0
}

// mayQueue says whether a little more load than its peers have may be all that a
// component suffers from, however busy they are.
func (d *Detector) mayQueue(c int) bool {
	explained := mostTimes(d.since(c, theLoad), d.opts.MostBusyShare)
	return math.Exp(d.courses[c].slowness()) <= d.smallest*explained && explained > d.smallest
}

// lasts is the time at which the member that has shown for longest will have shown for
// so many seconds. Hours without work do not count.
func (d *Detector) lasts(members []int, seconds int64) int64 {
	steps := 0.0
	for _, c := range members {
		steps = max(steps, d.courses[c].steps)
	}
	return d.ticked + max(seconds-int64(steps)*d.step, 0)
}

// mayBe is what would look the same and is harmless. Where requests wait for each
// other, a rebuild makes some LUNs as slow as a drive that fails makes others: it is
// told with the kind, until no rebuild would last as long.
func (d *Detector) mayBe(s *explanation, k finding.Kind, onset finding.Onset) finding.Kind {
	if k != finding.SingleLUN || d.ticked >= onset.At+d.opts.RebuildSeconds || d.slowerThanRebuild(s.members, d.opts.RebuildBusyTimes) {
		return ""
	}
	return finding.ArrayUpkeep
}

// slowerThanRebuild says whether one of some components is slower than a rebuild makes
// it, where that may be so many times slower than its peers under load. Steps in which
// requests do not wait for each other tell that best, unless a cache answers them.
func (d *Detector) slowerThanRebuild(members []int, busyTimes float64) bool {
	return slices.ContainsFunc(members, func(c int) bool {
		if service, known := d.courses[c].service(d.opts.LightSteps); known && service >= d.smallest {
			return service >= d.opts.RebuildTimes
		}
		return d.effect(c).Low >= busyTimes
	})
}

// hit says whether a component that was hardly slow is far slower now.
func (d *Detector) hit(c int) bool {
	w, far := &d.courses[c], math.Log(d.opts.HitTimes)
	return w.slowness() < far && w.now >= w.slowness()+far
}

// hasFarMoreLoad says whether a component has so much more load than its peers that
// this is why it is slow.
func (d *Detector) hasFarMoreLoad(c int) bool { return d.since(c, theLoad) >= d.opts.ImbalanceTimes }

// kindOf tells what shares a cause from what is alone, and a component that is
// slow from one that has more to do than its peers (L13 §4.1). The drawers of
// an array cannot be told apart from outside: where many of its LUNs are slow,
// the array is blamed for one of them.
func kindOf(tier blame.Tier, loaded bool) finding.Kind {
	switch tier {
	case blame.Array, blame.Drawer:
		return finding.DrawerError
	case blame.Server, blame.Controller, blame.Enclosure, blame.Expander:
		return finding.SharedSlowness
	}
	switch {
	case tier.Across():
		return finding.SharedSlowness
	case loaded:
		return finding.WorkloadImbalance
	case tier == blame.Drive:
		return finding.SlowDrive
	}
	return finding.SingleLUN
}

// elsewhere counts what is slow that does not hang on a place.
func (d *Detector) elsewhere(p blame.Place) finding.Tally {
	var t finding.Tally
	for _, c := range d.facts.Watched {
		if w := &d.courses[c]; d.isJudgedBusy(c) && !d.facts.Hangs(c, p) {
			t.Judged++
			if w.odd {
				t.Odd++
			}
		}
	}
	return t
}

// isJudgedBusy says whether a component counts among those that may be odd: it was
// judged, and has something to do. Tables do not say what rests; what was judged had
// a latency.
func (d *Detector) isJudgedBusy(c int) bool {
	return d.courses[c].isJudged && (d.facts.Sparse || !d.facts.Now[c].Idle())
}

// burst says whether a burst of work may be the reason for a while. Jobs keep to servers
// and arrays, and choose no slots. What was told one by one has lasted for longer than
// jobs do.
func (s *explanation) burst() bool { return len(s.members) > 1 && !s.gathers }

// commonOnset is the one that some members have in common.
func (d *Detector) commonOnset(members []int) finding.Onset {
	var all []finding.Onset
	for _, c := range members {
		all = append(all, d.onsetOf(c))
	}
	return finding.Common(all)
}

// State writes or reads what is remembered of every component.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &d.ticked)
	d.monitor.State(c, axes)
	state.By(c, axes.Groups, d.groups, func(c *state.Codec, p *pulse) { c.Float(&p.apart) })
	state.By(c, axes.Components, d.roles, state.Uint[role])
	state.By(c, axes.Components, d.courses, func(c *state.Codec, w *course) { w.state(c) })
}
