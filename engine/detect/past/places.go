package past

import (
	"cmp"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
)

// cause is a set of components that became slower for one reason.
type cause struct {
	place    blame.Place
	members  []int
	compared int // number of components of the place that were compared with their past
}

// Findings returns one finding for each place at which most components became slower at the same
// time. It also returns one finding for each other suspect that cannot be compared with peers. For
// component c, explained(c) reports whether another finding already explains its slowness.
func (d *Detector) Findings(explained func(c int) bool) []finding.Finding {
	var odd []int
	for _, c := range d.facts.Attachments {
		if w := &d.courses[c]; w.anomalous && w.compared && !explained(c) {
			odd = append(odd, c)
		}
	}
	var found []finding.Finding
	for len(odd) > 0 {
		s, ok := d.widestPlace(odd)
		if !ok {
			break
		}
		found = append(found, d.finding(&s))
		odd = slices.DeleteFunc(odd, func(c int) bool { return slices.Contains(s.members, c) })
	}
	for _, c := range odd {
		if d.courses[c].suspect && !d.hasPeers(c) {
			found = append(found, d.finding(&cause{place: d.facts.PlaceIfAlone(c), members: []int{c}, compared: 1}))
		}
	}
	return found
}

// widestPlace returns the place at which many components became slower at the same time, and few
// did not. It chooses the place with the greatest number net (slowedTogether): the components that
// became slower together, minus the other components. If net is the same for two places, it returns
// the place whose tier comes later (blame.Compare). If net is greater for the whole system than for
// every other place, no smaller place is returned. Then widestPlace returns the system, but only if
// the past of most members is a week or longer (knowsWeek).
func (d *Detector) widestPlace(odd []int) (best cause, ok bool) {
	on := make([][]int, len(d.facts.Places))
	for _, c := range odd {
		for _, p := range d.facts.PlacesOf[c] {
			on[p] = append(on[p], c)
		}
	}
	net := 0
	for p, members := range on {
		if d.facts.Places[p].Tier == blame.LUN {
			continue
		}
		if s, n := d.slowedTogether(d.facts.Places[p], members, d.facts.Dependents[p]); n > 0 && n >= net && d.slowerThanElsewhere(&s) {
			best, net, ok = s, n, true
		}
	}
	system := blame.Place{Tier: blame.System, Name: cmp.Or(d.facts.System.Name, "everything")}
	if s, n := d.slowedTogether(system, odd, d.facts.Attachments); n > net {
		return s, d.knowsWeek(&s) // if the system explains the most, no smaller place is blamed
	}
	return best, ok
}

// knowsWeek reports whether the past of most members is a week or longer. If nearly all components
// of a system are slower, the reason may be a job that uses all of them. Many jobs repeat weekly,
// so the past must include the jobs of a week. A component without peers counts as if its past were
// a week long, because such a component is reported alone after two days too.
func (d *Detector) knowsWeek(s *cause) bool {
	known := 0
	for _, c := range s.members {
		if w := &d.courses[c]; w.last-w.pastSince >= 7*daySeconds || !d.hasPeers(c) {
			known++
		}
	}
	return 2*known > len(s.members)
}

// slowedTogether returns the anomalous components of a place that became slower at the same time,
// and the number net. If a is the number of these components, and n is the number of all compared
// components of the place, net is a − (n − a). But net is 0 if a is less than two, or if all these
// components are paths to one LUN.
func (d *Detector) slowedTogether(at blame.Place, odd, all []int) (s cause, net int) {
	if len(odd) < 2 {
		return s, 0
	}
	var onsets []finding.Onset
	for _, c := range odd {
		onsets = append(onsets, d.courses[c].first)
	}
	common := finding.CommonOnset(onsets)
	s = cause{place: at}
	for _, c := range odd {
		if o := &d.courses[c].first; o.Early <= common.Late+d.criteria.SameCauseSeconds && common.Early <= o.Late+d.criteria.SameCauseSeconds {
			s.members = append(s.members, c)
		}
	}
	for _, c := range all {
		if d.courses[c].compared {
			s.compared++
		}
	}
	if net = 2*len(s.members) - s.compared; len(s.members) < 2 || len(d.ownPlaces(s.members)) < 2 {
		return s, 0
	}
	return s, net
}

// slowerThanElsewhere reports whether a place has the cause of the slowness of its components. Two
// conditions must hold:
//   - At least half of all anomalous components belong to the place. If more than half of them are
//     elsewhere, the cause is something that is not in the topology, such as a job on one half of
//     the LUNs.
//   - The place has more anomalous components than chance explains. The share of anomalous
//     components elsewhere is taken as the probability that a component is anomalous. The
//     probability that the place has so many anomalous components must be less than 1/(number of
//     places), by Chernoff's bound. Without this condition, a small place could be blamed that has
//     many anomalous components only by chance.
func (d *Detector) slowerThanElsewhere(s *cause) bool {
	others := d.countElsewhere(s.place)
	if others.Judged == 0 { // the place contains all compared components, for example because it is the whole system
		return d.knowsWeek(s)
	}
	if len(s.members) < others.Odd {
		return false
	}
	elsewhere := (float64(others.Odd) + 0.5) / float64(others.Judged+1)
	here := float64(len(s.members)) / float64(s.compared)
	if here <= elsewhere {
		return false
	}
	nats := here * math.Log(here/elsewhere)
	if here < 1 {
		nats += (1 - here) * math.Log((1-here)/(1-elsewhere))
	}
	return float64(s.compared)*nats > math.Log(float64(len(d.facts.Places)))
}

// ownPlaces returns the places to blame if each component is slow for a reason of its own. Several
// paths to one LUN have the same place, the LUN, which is in the list only once.
func (d *Detector) ownPlaces(members []int) []blame.Place {
	var list []blame.Place
	for _, c := range members {
		if p := d.facts.PlaceIfAlone(c); !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// finding turns a cause into a finding.
func (d *Detector) finding(s *cause) finding.Finding {
	f := finding.Finding{Class: finding.Past, Kind: d.kind(s.members), Place: s.place, Judged: s.compared, Evidence: d.evidence(s.members)}
	var onsets []finding.Onset
	steps, sure := 0.0, 0
	for _, c := range s.members {
		w := &d.courses[c]
		f.Members = append(f.Members, d.member(c))
		onsets = append(onsets, w.first)
		f.Nats = max(f.Nats, w.evidence)
		f.WaitedSeconds += d.waitedSeconds(c)
		steps += w.count * max(math.Exp(w.slowness())-1, 0)
		if w.evidence >= d.incidentEvidence && d.effect(c).Low > d.toleratedRatio(c) {
			sure++
		}
	}
	f.Onset = finding.CommonOnset(onsets)
	f.Sure = 2*sure > len(s.members)
	f.Amount = steps * float64(d.ticks.Seconds) / d.costSeconds()
	if d.facts.CountsRequests() {
		f.Amount = min(f.Amount, f.WaitedSeconds/d.criteria.CostSeconds)
	}
	if f.Kind == finding.SlowerThanBefore {
		if n, ok := d.noisyNeighbour(s); ok {
			f.Kind = finding.NoisyNeighbour
			f.Evidence = append(f.Evidence, n.evidence(f.Onset.At, d.ticks.Last))
		}
		if n, ok := d.clients.overDays(s.members); ok && len(s.members) > 1 {
			f.Kind = finding.NoisyNeighbour
			f.Evidence = append(f.Evidence, n.evidence(s.members[0], f.Onset.At, d.ticks.Last))
		}
	}
	if len(s.members) > 1 {
		f.Until = f.Onset.At + d.criteria.WideSeconds()
		f.Elsewhere = d.countElsewhere(s.place)
	}
	return f
}

// kind returns the kind of a finding. It is a changed workload if the requests of most members have
// changed. The requests of a member have changed if they differ so much from earlier requests that
// the error of the member's curve may be half of the measured slowness.
func (d *Detector) kind(members []int) finding.Kind {
	changed := 0
	for _, c := range members {
		if w := &d.courses[c]; w.novelty >= d.criteria.HalfShare*w.slowness() {
			changed++
		}
	}
	if 2*changed > len(members) {
		return finding.ChangedWorkload
	}
	return finding.SlowerThanBefore
}

// evidence compares the requests of the slowest member with its earlier requests: their number,
// their size and the share of reads, as far as the data contain these values.
func (d *Detector) evidence(members []int) []finding.Evidence {
	worst := members[0]
	for _, c := range members {
		if d.courses[c].slowness() > d.courses[worst].slowness() {
			worst = c
		}
	}
	w := &d.courses[worst]
	list := []finding.Evidence{{Metric: finding.PastTime, Component: worst, Unit: "d", Own: float64(w.last-w.pastSince) / daySeconds, Peers: math.NaN()}}
	if d.facts.CountsRequests() {
		list = append(list, finding.Evidence{
			Metric: finding.AskedFor, Component: worst, Unit: "1/s",
			Own: math.Exp(w.recent.load) / float64(d.step), Peers: math.Exp(w.usual.load) / float64(d.step),
		})
	}
	if d.facts.CountsRequests() && w.usual.size > 0 {
		list = append(list, finding.Evidence{Metric: metric.AvgRqSz.Name, Component: worst, Unit: metric.AvgRqSz.Unit, Own: math.Exp(w.recent.size), Peers: math.Exp(w.usual.size)})
	}
	if d.facts.KnowsReads() {
		list = append(list, finding.Evidence{Metric: finding.ReadsOfAll, Component: worst, Unit: "%", Own: 100 * w.recent.reads, Peers: 100 * w.usual.reads})
	}
	for i := range list {
		list[i].From, list[i].To = w.first.At, d.ticks.Last
	}
	return list
}

// costSeconds returns, in seconds, how long a component must be twice as slow as before until its
// problem is an incident. This time is CostSteps steps. A step that is longer than usualStep counts
// as usualStep, because the detector judges ticks and not steps.
func (d *Detector) costSeconds() float64 {
	return d.criteria.CostSteps * float64(min(d.step, usualStep))
}

// usualStep is the default step of rows, in seconds.
const usualStep = 15

// toleratedRatio returns the largest ratio (latency / expected latency) that is not a problem.
func (d *Detector) toleratedRatio(c int) float64 {
	return d.criteria.SmallestTimes * math.Exp(d.courses[c].tolerance)
}

// countElsewhere counts the compared components that do not belong to a place, and the anomalous
// components among them.
func (d *Detector) countElsewhere(at blame.Place) finding.Tally {
	var t finding.Tally
	if at.Tier == blame.System {
		return t
	}
	for _, c := range d.facts.Attachments {
		if w := &d.courses[c]; w.compared && !d.facts.DependsOn(c, at) {
			t.Judged++
			if w.anomalous {
				t.Odd++
			}
		}
	}
	return t
}

func (d *Detector) member(c int) finding.Member {
	w, effect, s := &d.courses[c], d.effect(c), d.monitor.BestStretch(c)
	return finding.Member{
		Component: c, Role: finding.IsSlow, Odd: w.anomalous, Windows: w.suspectTicks, Ratio: math.Exp(w.now), Worst: max(math.Exp(w.worst), effect.Times),
		Effect: effect, Own: math.Exp(s.MeanExtra(ownLatency)), Peers: math.Exp(s.MeanExtra(expectedLatency)), Load: d.measuredLoad(c), Since: w.first.At,
	}
}

// effect returns the mean ratio (latency / latency that the curve predicts) of a component since
// the onset, with the 95 % confidence interval of this mean.
func (d *Detector) effect(c int) finding.Effect {
	s := d.monitor.BestStretch(c)
	mean, off := s.Mean(), s.HalfWidth(d.monitor.Spread(d.facts.GroupOf(c)))
	return finding.Effect{Times: math.Exp(mean), Low: math.Exp(mean - off), High: math.Exp(mean + off)}
}

// measuredLoad returns the ratio of the load since the onset to the usual load of the past. It
// returns 0 if the rows have no metric of load.
func (d *Detector) measuredLoad(c int) float64 {
	if !d.facts.MeasuresLoad() {
		return 0
	}
	return math.Exp(d.monitor.BestStretch(c).MeanExtra(loadRatio))
}

// waitedSeconds returns the total additional wait of all requests to a component, compared with its
// past, in seconds. It returns 0 if the number of requests is not known.
func (d *Detector) waitedSeconds(c int) float64 {
	if !d.facts.CountsRequests() {
		return 0
	}
	return d.courses[c].waited * d.facts.LeadSeconds()
}
