package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// finding turns an explanation into a finding.
func (d *Detector) finding(s *explanation) finding.Finding {
	f := finding.Finding{Class: finding.Slow, Place: s.at, Judged: s.compared, Onset: d.commonOnset(s.members), Alike: s.alike, Gathers: s.gathers}
	loaded := 0
	for _, c := range s.members {
		f.Members = append(f.Members, d.member(c))
		f.Nats = max(f.Nats, d.courses[c].evidence)
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

// effect returns the ratio of a component's latency to its peers' since the onset, with
// its 95 % interval.
func (d *Detector) effect(c int) finding.Effect {
	s := d.monitor.Change(c)
	mean, off := s.Mean(), s.Error(d.monitor.Spread(d.groupOf(c)))
	if most := d.opts.MostTimes; mean > math.Log(most)-capNats {
		return finding.Effect{Times: most, Low: most, High: math.Inf(1)} // larger ratios are not counted
	}
	return finding.Effect{Times: math.Exp(mean), Low: math.Exp(mean - off), High: math.Exp(mean + off)}
}

// capNats is how far a few steps with smaller ratios can lower the mean of ratios that
// are at MostTimes.
const capNats = 0.01

// since returns the mean, since the onset, of one of the extra values that the monitor
// averages beside the evidence (theLoad, ownLatency, peersLatency).
func (d *Detector) since(c, beside int) float64 {
	return math.Exp(d.monitor.Change(c).MeanExtra(beside))
}

// waitedSeconds returns how long all requests to a component waited longer than at its
// peers. It returns 0 where requests are not counted.
func (d *Detector) waitedSeconds(c int) float64 {
	if !d.facts.CountsRequests() {
		return 0
	}
	return d.courses[c].waited * d.facts.LeadSeconds()
}

// amount returns the size of a problem: the ratio times the duration, over all members.
// A certain problem becomes an incident when its amount reaches 1.
//
// Where requests are counted, they must also have waited for CostSeconds: a component
// that is many times slower and has hardly any request disturbs no user. Standby paths
// are the exception, because any request to them is odd. If burst is true, a burst of
// work may explain the problem for BusySeconds. Until then only slowness beyond
// BusyTimes counts.
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

// isSure reports whether an explanation is certain. Slowness of several members at one
// place has passed localisation, which bounds the chance that so many members are slow
// at once.
func (d *Detector) isSure(s *explanation) bool {
	if s.at.Wide() && len(s.members) > 1 {
		return true
	}
	return slices.ContainsFunc(s.members, func(c int) bool {
		w := &d.courses[c]
		smallest := d.smallest * math.Exp(d.groups[d.groupOf(c)].apart)
		return w.evidence >= d.incidentEvidence && d.effect(c).Low > smallest
	})
}

// until returns the time before which an explanation makes no incident, whatever its
// amount. A LUN that is no slower than during a rebuild may be rebuilding. More load
// than the peers have, or a burst on all of an array, may be a job that ends. Slowness
// that a queue may explain waits until the utilisation of the peers is known.
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

// mayQueue reports whether a component may be slow only because it has a little more
// load than its peers, at some utilisation of the peers.
func (d *Detector) mayQueue(c int) bool {
	explained := mostQueueingTimes(d.since(c, theLoad), d.opts.MostBusyShare)
	return math.Exp(d.courses[c].slowness()) <= d.smallest*explained && explained > d.smallest
}

// lasts returns the time at which the member with the longest episode will have been
// slow for a number of seconds. Hours without work do not count.
func (d *Detector) lasts(members []int, seconds int64) int64 {
	steps := 0.0
	for _, c := range members {
		steps = max(steps, d.courses[c].steps)
	}
	return d.ticked + max(seconds-int64(steps)*d.step, 0)
}

// mayBe returns the kind of harmless work that would look the same, or "". Where
// requests wait for each other, a rebuild makes some LUNs as slow as a failing drive
// makes others. The finding carries both kinds until it has lasted longer than a rebuild
// takes.
func (d *Detector) mayBe(s *explanation, k finding.Kind, onset finding.Onset) finding.Kind {
	if k != finding.SingleLUN || d.ticked >= onset.At+d.opts.RebuildSeconds || d.slowerThanRebuild(s.members, d.opts.RebuildBusyTimes) {
		return ""
	}
	return finding.ArrayUpkeep
}

// slowerThanRebuild reports whether at least one of the members is slower than a rebuild
// would make it; busyTimes is the bound under load. Steps in which requests do not wait
// for each other show this best, unless a cache answers the requests.
func (d *Detector) slowerThanRebuild(members []int, busyTimes float64) bool {
	return slices.ContainsFunc(members, func(c int) bool {
		if service, known := d.courses[c].service(d.opts.LightSteps); known && service >= d.smallest {
			return service >= d.opts.RebuildTimes
		}
		return d.effect(c).Low >= busyTimes
	})
}

// hit reports whether a component that was hardly slow is far slower now.
func (d *Detector) hit(c int) bool {
	w, far := &d.courses[c], math.Log(d.opts.HitTimes)
	return w.slowness() < far && w.now >= w.slowness()+far
}

// hasFarMoreLoad reports whether a component has at least ImbalanceTimes times the load
// of its peers. Load is then the cause of its slowness.
func (d *Detector) hasFarMoreLoad(c int) bool { return d.since(c, theLoad) >= d.opts.ImbalanceTimes }

// kindOf returns the kind of a finding. It separates components with a common cause from
// a component that is slow alone, and a slow component from a component with more load
// than its peers (L13 §4.1). The drawers of an array cannot be distinguished from
// outside: if many LUNs of an array are slow, the array is blamed for a drawer error.
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

// elsewhere counts the compared components that do not hang on a place, and the odd ones
// among them.
func (d *Detector) elsewhere(p blame.Place) finding.Tally {
	var t finding.Tally
	for _, c := range d.facts.Watched {
		if w := &d.courses[c]; d.isComparedBusy(c) && !d.facts.Hangs(c, p) {
			t.Judged++
			if w.odd {
				t.Odd++
			}
		}
	}
	return t
}

// isComparedBusy reports whether a component counts in localisation: it was compared,
// and has work. Tables without idle states count every component with a latency.
func (d *Detector) isComparedBusy(c int) bool {
	return d.courses[c].compared && (d.facts.Sparse || !d.facts.Now[c].Idle())
}

// burst reports whether the members may be slow because of a burst of work that ends.
// Jobs use whole servers and arrays, and do not select slots. Members that were found
// one by one have been slow for longer than jobs last.
func (s *explanation) burst() bool { return len(s.members) > 1 && !s.gathers }

// commonOnset returns the onset that some members have in common.
func (d *Detector) commonOnset(members []int) finding.Onset {
	var all []finding.Onset
	for _, c := range members {
		all = append(all, d.onsetOf(c))
	}
	return finding.Common(all)
}

// State writes or reads the memory of every component and group.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &d.ticked)
	d.monitor.State(c, axes)
	state.By(c, axes.Groups, d.groups, func(c *state.Codec, p *groupStep) { c.Float(&p.apart) })
	state.By(c, axes.Components, d.roles, state.Uint[role])
	state.By(c, axes.Components, d.courses, func(c *state.Codec, w *course) { w.state(c) })
}
