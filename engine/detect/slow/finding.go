package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// finding turns an explanation into a finding.
func (d *Detector) finding(s *explanation) finding.Finding {
	f := finding.Finding{Class: finding.Slow, Place: s.place, Joined: s.joined, Judged: s.compared, Onset: d.commonOnset(s.members), Alike: s.alike, Gathers: s.gathers}
	loaded := 0
	for _, c := range s.members {
		f.Members = append(f.Members, d.member(c))
		f.Nats = max(f.Nats, d.courses[c].evidence)
		f.WaitedSeconds += d.waitedSeconds(c)
		if d.hasFarMoreLoad(c) {
			loaded++
		}
	}
	f.Kind = kindOf(s.place.Tier, 2*loaded > len(s.members))
	if in, out := splitBy(s.members, func(c int) bool { return d.courses[c].isUpkeep() }); len(in) > len(out) {
		f.Kind = finding.ArrayUpkeep
	}
	f.Amount, f.Sure = d.amount(s.members, s.mayBeBurst()), d.isSure(s)
	f.Until, f.MayBe = d.notBefore(s, f.Kind, f.Onset), d.harmlessKind(s, f.Kind, f.Onset)
	if len(s.members) > 1 {
		f.Elsewhere = d.tallyElsewhere(s.places())
	}
	return f
}

func (d *Detector) member(c int) finding.Member {
	w, effect := &d.courses[c], d.effect(c)
	return finding.Member{
		Component: c, Role: w.role(), Odd: w.anomalous, Windows: w.suspectTicks, Ratio: math.Exp(w.now), Worst: max(math.Exp(w.worst), effect.Times),
		Effect: effect, Own: d.meanSinceOnset(c, ownLatency), Peers: d.meanSinceOnset(c, peersLatency), Load: d.measuredLoad(c), Since: d.onsetOf(c).At,
	}
}

// effect returns the ratio of a component's latency to its peers' latency since the onset, with the
// 95 % interval of the ratio. The ratio is the geometric mean of the ratios of whole minutes
// (minute.go). Before the first whole minute has ended, it is the geometric mean of the ratios of
// steps.
func (d *Detector) effect(c int) finding.Effect {
	s := d.monitor.BestStretch(c)
	mean, off := s.Mean(), s.HalfWidth(d.monitor.Spread(d.groupOf(c)))
	if mean > logMaxTimes-capNats {
		return finding.Effect{Times: maxTimes, Low: maxTimes, High: math.Inf(1)} // ratios above maxTimes are counted as maxTimes
	}
	return finding.Effect{Times: math.Exp(mean), Low: math.Exp(mean - off), High: math.Exp(mean + off)}
}

// capNats is a tolerance, in nats. If the mean ratio is within this tolerance of maxTimes, nearly
// all averaged ratios reached maxTimes, and the true ratio is not known.
const capNats = 0.01

// meanSinceOnset returns the geometric mean of a value since the onset. The parameter `beside`
// selects the value: loadRatio, ownLatency or peersLatency. The monitor (package evidence) averages
// these values over the same minutes as the effect (Stretch.MeanExtra).
func (d *Detector) meanSinceOnset(c, beside int) float64 {
	return math.Exp(d.monitor.BestStretch(c).MeanExtra(beside))
}

// measuredLoad returns the mean ratio of a component's load to its peers' load since the onset. It
// returns 0 if the rows have no metric of load.
func (d *Detector) measuredLoad(c int) float64 {
	if !d.facts.MeasuresLoad() {
		return 0
	}
	return d.meanSinceOnset(c, loadRatio)
}

// waitedSeconds returns the total additional wait of all requests to a component,
// compared with its peers, in seconds. It returns 0 if the number of requests is not
// known.
func (d *Detector) waitedSeconds(c int) float64 {
	if !d.facts.CountsRequests() {
		return 0
	}
	return d.courses[c].waited * d.facts.LeadSeconds()
}

// amount returns the cost of a problem, as a multiple of the cost that makes an incident. The cost
// is the slowness times the duration, summed over all members. A problem with enough evidence
// becomes an incident when its amount reaches 1.
//
// If the number of requests is known, the total additional wait of the requests must also reach
// CostSeconds. The reason is that a component with hardly any requests disturbs no user, however
// slow it is. Standby paths are the exception, because they should have no requests at all. If
// `burst` is true, a short period of heavy work may explain the problem. Then only the part of the
// slowness above ClearTimes counts in the first BusySeconds after the onset.
func (d *Detector) amount(members []int, burst bool) float64 {
	discount := 1.0
	if burst && d.lastTick-d.commonOnset(members).At < d.opts.BusySeconds {
		discount = d.criteria.ClearTimes
	}
	steps, seconds := 0.0, 0.0
	for _, c := range members {
		steps, seconds = steps+d.courses[c].costSteps(discount), seconds+d.waitedSeconds(c)
	}
	amount := steps / d.criteria.CostSteps
	if d.facts.CountsRequests() && !d.isStandbyGroup(d.groupOf(members[0])) {
		amount = min(amount, seconds/d.criteria.CostSeconds)
	}
	return amount
}

// isSure reports whether an explanation is certain. An explanation with several members at one
// place is certain, because the search for common places (localisation.go) has already limited the
// probability that so many members are slow by chance. Any other explanation needs at least one
// member for which two conditions hold: the member has the evidence for an incident, and its ratio
// to the peers is certainly larger than the normal ratios in its group (Effect.Low,
// ToleratedRatio).
func (d *Detector) isSure(s *explanation) bool {
	if s.place.CanBeShared() && len(s.members) > 1 {
		return true
	}
	return slices.ContainsFunc(s.members, func(c int) bool {
		return d.courses[c].evidence >= d.incidentEvidence && d.effect(c).Low > d.ToleratedRatio(c)
	})
}

// ToleratedRatio returns the largest ratio of a component's latency to its peers' latency that is
// no problem: SmallestTimes, or the largest normal ratio of a member to its group if that ratio is
// larger (normalDifference).
func (d *Detector) ToleratedRatio(c int) float64 {
	return d.criteria.SmallestTimes * math.Exp(d.groups[d.groupOf(c)].normalDifference)
}

// notBefore returns the earliest Unix time at which an explanation can become an incident. Before
// this time the slowness may have a harmless cause. The result is 0 if no harmless cause is
// possible. The harmless causes are:
//
//   - A job slows down several components at one place. The slowness ends with the job, so two of
//     the components must have been slow for WideSeconds.
//   - A job gives one component more load than its peers. The component must have been slow for
//     ImbalanceSeconds.
//   - A LUN rebuilds a drive. If the LUN is no slower than a rebuild makes it, the slowness must
//     last for RebuildSeconds.
//   - Requests wait in a queue. The detector waits until it has enough data about the utilisation
//     of the peers.
//
// For jobs, time without work does not count, because two short jobs with hours between them are
// not one long slowness.
func (d *Detector) notBefore(s *explanation, k finding.Kind, onset finding.Onset) int64 {
	switch {
	case len(s.members) > 1 && s.place.CanBeShared():
		return d.timeOfDuration(d.longest(s.members, 2), d.criteria.WideSeconds())
	case k == finding.WorkloadImbalance:
		return d.timeOfDuration(d.longest(s.members, 1), d.opts.ImbalanceSeconds)
	case k == finding.SingleLUN && !d.slowerThanRebuild(s.members, d.rebuildTimes()):
		return onset.At + d.opts.RebuildSeconds
	case len(s.members) == 1 && d.mayQueue(s.members[0], onset):
		return d.facts.Begin + 2*d.opts.BusySeconds
	}
	return 0
}

// mayQueue reports whether a component may be slow only because it has a little more load than its
// peers. The utilisation of the peers is not known yet. So mayQueue assumes the utilisation at
// which a higher load causes the greatest slowness. If the busiest component of a Ceph cluster has
// been slow since before the start of the data, it may even be saturated.
func (d *Detector) mayQueue(c int, onset finding.Onset) bool {
	explained := criteria.MaxQueueTimes(d.meanSinceOnset(c, loadRatio), d.maxBusyShare())
	if onset.Earlier && d.facts.System.Components[c].Storage == "ceph" {
		explained = max(explained, d.saturatedTimes(c))
	}
	return math.Exp(d.courses[c].slowness()) <= d.criteria.SmallestTimes*explained && explained > d.criteria.SmallestTimes
}

// saturatedTimes assumes that a component is saturated, and returns the largest ratio of its
// latency to its peers' latency that the load then explains. This ratio is the product of two
// factors. The first factor is the ratio that the queue model predicts from two loads: the load of
// the component, and the largest load of the other members of its group. It is 1 if the component
// does not have the largest load of all members. The second factor is the present slowness of the
// other member with the largest load: the ratio of its latency to its peers' latency, but at least
// 1.
func (d *Detector) saturatedTimes(c int) float64 {
	second := -1
	for _, other := range d.facts.System.Groups[d.groupOf(c)].Members {
		if other != c && (second < 0 || d.courses[other].work > d.courses[second].work) {
			second = other
		}
	}
	if second < 0 || !(d.courses[second].work > 0) {
		return 1
	}
	return criteria.MaxQueueTimes(d.courses[c].work/d.courses[second].work, criteria.SaturatedShare) * math.Exp(max(d.courses[second].now, 0))
}

// timeOfDuration returns the Unix time at which a component with the given number of slow steps
// will have been slow for the given number of seconds. Time without work does not count.
func (d *Detector) timeOfDuration(steps float64, seconds int64) int64 {
	return d.lastTick + max(seconds-int64(steps)*d.step, 0)
}

// longest counts, for each member, the slow steps since its onset. It returns the n-th largest
// count.
func (d *Detector) longest(members []int, n int) float64 {
	d.sorted = d.sorted[:0]
	for _, c := range members {
		d.sorted = append(d.sorted, d.courses[c].steps)
	}
	slices.Sort(d.sorted)
	return d.sorted[len(d.sorted)-n]
}

// harmlessKind returns a harmless kind that would have the same symptoms as kind k, or "" if there
// is no such kind. There is one such case: under load, a LUN that rebuilds a drive can be as slow
// as a LUN with a failing drive. The result is "" as soon as the slowness has lasted longer than a
// rebuild takes, or is greater than a rebuild causes.
func (d *Detector) harmlessKind(s *explanation, k finding.Kind, onset finding.Onset) finding.Kind {
	if k != finding.SingleLUN || d.lastTick >= onset.At+d.opts.RebuildSeconds || d.slowerThanRebuild(s.members, d.rebuildBusyTimes()) {
		return ""
	}
	return finding.ArrayUpkeep
}

// slowerThanRebuild reports whether at least one of the members is slower than a rebuild would make
// it. The best measurement is the ratio in steps under light load, in which requests do not wait
// for each other. This ratio must be at least rebuildTimes. In two cases the effect over all steps
// is used instead, with the bound busyTimes. In the first case there are too few steps under light
// load. In the second case the member is not slow in these steps, because a cache answers its
// requests.
func (d *Detector) slowerThanRebuild(members []int, busyTimes float64) bool {
	return slices.ContainsFunc(members, func(c int) bool {
		if service, known := d.courses[c].serviceRatio(lightTicks * float64(d.criteria.TickSteps)); known && service >= d.criteria.SmallestTimes {
			return service >= d.rebuildTimes()
		}
		return d.effect(c).Low >= busyTimes
	})
}

// lightTicks is the number of ticks under light load after which the service time of a component is
// known.
const lightTicks = 10

// rebuildTimes returns the largest ratio of a LUN's latency to its peers' latency that a rebuild
// can cause under light load, when requests hardly wait for each other. A rebuild makes the drives
// work longer on each request, by the share RebuildShare. SmallestTimes allows for the error of the
// measurement.
func (d *Detector) rebuildTimes() float64 {
	return (1 + d.criteria.RebuildShare) * d.criteria.SmallestTimes
}

// rebuildBusyTimes returns the largest ratio of a LUN's latency to its peers' latency that a
// rebuild can cause under heavy load. It is the ratio of the latencies of two M/M/1 queues, the LUN
// and a peer, with the same number of requests. The utilisation of the peer is rebuildLoad. The LUN
// works longer on each request, so its utilisation is higher.
func (d *Detector) rebuildBusyTimes() float64 {
	service := 1 + d.criteria.RebuildShare
	return service * (1 - rebuildLoad) / max(1-service*rebuildLoad, 1-d.maxBusyShare())
}

// rebuildLoad is the utilisation of the peers under heavy load: the share of the time for which
// they are busy. A LUN that is busier than this for hours has no time left for a rebuild.
const rebuildLoad = 0.6

// hasSecondProblem reports whether a second problem has reached a component. Two conditions must
// hold: its mean ratio to the peers since the onset is below DoubleTimes, and its present ratio is
// at least DoubleTimes times the mean ratio.
func (d *Detector) hasSecondProblem(c int) bool {
	w, far := &d.courses[c], math.Log(d.criteria.DoubleTimes)
	return w.slowness() < far && w.now >= w.slowness()+far
}

// hasFarMoreLoad reports whether the ratio of a component's load to its peers' load is at least
// ClearTimes. Such a load is the cause of the slowness.
func (d *Detector) hasFarMoreLoad(c int) bool {
	return d.meanSinceOnset(c, loadRatio) >= d.criteria.ClearTimes
}

// kindOf returns the kind of a finding (L13 §4.1). The kind depends on two properties: the tier of
// the place to blame, and whether most of the slow components have far more load than their peers
// (`loaded`). Servers cannot see in which drawer of an array a LUN is. So if several LUNs of an
// array have a common cause, the finding is a drawer error at the array.
func kindOf(tier blame.Tier, loaded bool) finding.Kind {
	switch tier {
	case blame.Array, blame.Drawer:
		return finding.DrawerError
	case blame.Server, blame.Host, blame.Controller, blame.Enclosure, blame.Expander:
		return finding.SharedSlowness
	}
	switch {
	case tier.IsAttribute():
		return finding.SharedSlowness
	case loaded:
		return finding.WorkloadImbalance
	case tier == blame.Drive:
		return finding.SlowDrive
	}
	return finding.SingleLUN
}

// tallyElsewhere counts the compared components that belong to none of the places, and the
// anomalous components among them.
func (d *Detector) tallyElsewhere(places []blame.Place) finding.Tally {
	var t finding.Tally
	for _, c := range d.facts.Attachments {
		if w := &d.courses[c]; d.countsInLocalisation(c) && !d.facts.DependsOnAny(c, places) {
			t.Judged++
			if w.anomalous {
				t.Odd++
			}
		}
	}
	return t
}

// countsInLocalisation reports whether a component counts in localisation, the search for a place
// that several slow components have in common. A component counts if it was compared and has work.
// If the source may have lost values (Sparse), it is not known which components are idle, so every
// compared component counts.
func (d *Detector) countsInLocalisation(c int) bool {
	return d.courses[c].compared && (d.facts.Sparse || !d.facts.Conditions[c].IsIdle())
}

// mayBeBurst reports whether a burst may explain the slowness of several members. A burst is a
// short period of heavy work. Jobs use whole servers and arrays, and not a single slot of each
// server. So a burst does not explain members that have only an attribute in common. It also does
// not explain members that were first reported one by one, because these members have been slow for
// longer than jobs last.
func (s *explanation) mayBeBurst() bool { return len(s.members) > 1 && !s.gathers }

// commonOnset returns one onset for all of the given members.
func (d *Detector) commonOnset(members []int) finding.Onset {
	var all []finding.Onset
	for _, c := range members {
		all = append(all, d.onsetOf(c))
	}
	return finding.CommonOnset(all)
}

// State writes or reads the averages and sums (course) of every component, and the normal
// difference of every group.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &d.lastTick)
	state.Int(c, &d.minutes.Last)
	d.monitor.State(c, axes)
	state.By(c, axes.Groups, d.groups, func(c *state.Codec, p *groupStep) { c.Float(&p.normalDifference) })
	state.By(c, axes.Components, d.roles, state.Uint[role])
	state.By(c, axes.Components, d.courses, func(c *state.Codec, w *course) { w.state(c) })
}
