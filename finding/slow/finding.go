package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/finding/queue"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/state"
)

// finding makes one of a story.
func (d *Detector) finding(s *story) finding.Finding {
	f := finding.Finding{Class: finding.Slow, Place: s.at, Judged: s.judged, Onset: d.onset(s.members), Alike: s.alike, Gathers: s.gathers}
	loaded := 0
	for _, c := range s.members {
		f.Members = append(f.Members, d.member(c))
		f.Nats = max(f.Nats, d.courses[c].nats)
		f.WaitedSeconds += d.waitedSeconds(c)
		if d.loaded(c) {
			loaded++
		}
	}
	f.Kind = kindOf(s.at.Tier, float64(loaded) > d.opts.LoadedShare*float64(len(s.members)))
	if in, out := part(s.members, func(c int) bool { return d.courses[c].isUpkeep() }); len(in) > len(out) {
		f.Kind = finding.ArrayUpkeep
	}
	f.Amount, f.Sure = d.amount(s.members, s.burst()), d.isSure(s)
	f.Until = d.until(s, f.Kind, f.Onset)
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

// amount is how slow times how long, over the members of a story: 1 is what
// makes an incident. Where requests are counted they have to have felt it: one
// that is many times slower and has next to nothing to do wakes nobody. On a path that
// stands by, however, any that come are odd. Of what many share only that counts which work cannot
// explain, where a burst may: they are not independent, and a burst that hits an
// array is no fault of it.
func (d *Detector) amount(members []int, burst bool) float64 {
	discount := 1.0
	if burst && d.ticked-d.onset(members).At < d.opts.BusySeconds {
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

// isSure says whether a story is beyond doubt. What several share has passed the
// test of localisation, which asks how likely it is that so many are slow at once
// by chance.
func (d *Detector) isSure(s *story) bool {
	if s.at.Wide() && len(s.members) > 1 {
		return true
	}
	return slices.ContainsFunc(s.members, func(c int) bool {
		w := &d.courses[c]
		smallest := d.smallest * math.Exp(d.groups[d.groupOf(c)].apart)
		return w.nats >= d.sure && d.effect(c).Low > smallest
	})
}

// until is before when a story is no incident, whatever it amounts to: a LUN
// that works on its requests no longer than one that rebuilds a drive may do just that, more
// load than the peers have, or a burst that hits all of an array, may be a job that ends, and
// what a queue may explain waits until it is known how busy the peers are.
func (d *Detector) until(s *story, k finding.Kind, onset finding.Onset) int64 {
	switch {
	case len(s.members) > 1 && s.at.Wide():
		return onset.At + d.opts.WideSeconds
	case k == finding.WorkloadImbalance:
		return d.lasts(s.members, d.opts.ImbalanceSeconds)
	case k == finding.SingleLUN && !slices.ContainsFunc(s.members, d.slowerThanRebuild):
		return onset.At + d.opts.RebuildSeconds
	case len(s.members) == 1 && d.mayQueue(s.members[0]):
		return d.facts.Begin + d.opts.AcquaintSeconds
	}
	return 0
}

// mayQueue says whether a little more load than its peers have may be all that a
// component suffers from, however busy they are.
func (d *Detector) mayQueue(c int) bool {
	explained := queue.MostTimes(d.since(c, theLoad), d.opts.MostBusyShare)
	return math.Exp(d.courses[c].slowness()) <= d.smallest*explained && explained > d.smallest
}

// lasts is when the member of a story that has shown for longest will have shown
// for so many seconds. The hours in which it had nothing to do do not count.
func (d *Detector) lasts(members []int, seconds int64) int64 {
	steps := 0.0
	for _, c := range members {
		steps = max(steps, d.courses[c].steps)
	}
	return d.ticked + max(seconds-int64(steps)*d.step, 0)
}

// slowerThanRebuild says whether a component is slower than a rebuild makes it. Steps
// in which requests do not wait for each other tell that best, unless a cache
// answers them.
func (d *Detector) slowerThanRebuild(c int) bool {
	if service, known := d.courses[c].service(d.opts.LightSteps); known && service >= d.smallest {
		return service >= d.opts.RebuildTimes
	}
	return d.effect(c).Low >= d.opts.RebuildBusyTimes
}

// hit says whether what was hardly slow is now far slower than it was.
func (d *Detector) hit(c int) bool {
	w, far := &d.courses[c], math.Log(d.opts.HitTimes)
	return w.slowness() < far && w.now >= w.slowness()+far
}

// loaded says whether a component is slow for its load.
func (d *Detector) loaded(c int) bool { return d.since(c, theLoad) >= d.opts.ImbalanceTimes }

// begins is when a component was last like its peers.
func (d *Detector) begins(c int) int64 { return d.monitor.Since(c) }

// kindOf tells what shares a cause from what is alone, and a component that is
// slow from one that has more to do than its peers (L13 §4.1). The drawers of
// an array cannot be told apart from outside: where many of its LUNs are slow,
// the array is blamed for one of them.
func kindOf(tier place.Tier, loaded bool) finding.Kind {
	switch tier {
	case place.Array, place.Drawer:
		return finding.DrawerError
	case place.Server, place.Controller, place.Enclosure, place.Expander:
		return finding.SharedSlowness
	}
	switch {
	case tier.Across():
		return finding.SharedSlowness
	case loaded:
		return finding.WorkloadImbalance
	case tier == place.Drive:
		return finding.SlowDrive
	}
	return finding.SingleLUN
}

// elsewhere counts what is slow that does not hang on a place.
func (d *Detector) elsewhere(p place.Place) finding.Tally {
	var t finding.Tally
	for _, c := range d.facts.Watched {
		if w := &d.courses[c]; d.counts(c) && !d.facts.Hangs(c, p) {
			t.Judged++
			if w.odd {
				t.Odd++
			}
		}
	}
	return t
}

// counts says whether a component counts among those that may be odd: it was
// judged, and has something to do. Tables do not say what rests; what was judged had
// a latency.
func (d *Detector) counts(c int) bool {
	return d.courses[c].isJudged && (d.facts.Sparse || !d.facts.Now[c].Idle())
}

// burst says whether more work than elsewhere may explain a story for a while. Jobs
// keep to servers and arrays, and choose no slots; what was told one by one has
// lasted for longer than they do.
func (s *story) burst() bool { return len(s.members) > 1 && !s.gathers }

// onset is the one that some members have in common.
func (d *Detector) onset(members []int) finding.Onset {
	var all []finding.Onset
	for _, c := range members {
		all = append(all, d.onsetOf(c))
	}
	return finding.Common(all)
}

// State writes or reads what is remembered of every component.
func (d *Detector) State(c *state.Codec, axes *place.Axes) {
	state.Int(c, &d.ticked)
	d.monitor.State(c, axes)
	state.By(c, axes.Groups, d.groups, func(c *state.Codec, p *pulse) { c.Float(&p.apart) })
	state.By(c, axes.Components, d.roles, state.Uint[role])
	state.By(c, axes.Components, d.courses, func(c *state.Codec, w *course) { w.state(c) })
}
