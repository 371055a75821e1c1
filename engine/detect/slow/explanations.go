package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// explanation is a place to blame, and the components that are slow because of this place.
type explanation struct {
	place    blame.Place
	joined   []blame.Place // other attributes with the same cause as `place`: their slow components are on the same servers or arrays, and became slow at the same time
	members  []int
	compared int           // number of compared components that belong to the place
	alike    []blame.Place // other places that explain the slowness of the members nearly as well as `place`
	gathers  bool          // some members had a separate problem before this explanation
	// confirmed is the Unix time at which a known cause became an incident; 0 for a new cause.
	confirmed int64
}

// places returns the place of the explanation, and the places that have joined this place.
func (s *explanation) places() []blame.Place { return append([]blame.Place{s.place}, s.joined...) }

// Findings explains the slow components in stages: first by known problems, then by common causes
// and places. Each component that is left is a separate problem. A stage explains only components
// that no earlier stage has explained. Detector.causes is an exception: it may also explain
// components that a known problem already explains, and it then moves them to the cause.
func (d *Detector) Findings(open []finding.OpenIncident) []finding.Finding {
	known, left := d.knownSingle(open, d.anomalousComponents())
	wide, left := d.knownWide(open, left)
	causes, known, left := d.causes(open, slices.Concat(known, wide), left)
	shared, left := d.commonPlaces(left)
	explanations := mergeSamePlaces(slices.Concat(known, causes, shared, d.singleExplanations(d.suspects(left))))
	var found []finding.Finding
	for i := range explanations {
		if f := d.finding(&explanations[i]); !RepeatsStall(&f, open) {
			found = append(found, f)
		}
	}
	return found
}

// singleExplanations returns a separate explanation for each component.
func (d *Detector) singleExplanations(components []int) []explanation {
	var explanations []explanation
	for _, c := range components {
		explanations = append(explanations, explanation{place: d.PlaceIfAlone(c), members: []int{c}, compared: 1})
	}
	return explanations
}

// Census returns the components that were compared and have work, and one finding for each
// anomalous component. In a cluster, each partition calls Census, and the cluster looks for causes
// that partitions have in common (live/cluster/commoncause).
func (d *Detector) Census() (compared []int, odd []finding.Finding) {
	compared, _ = splitBy(d.facts.Attachments, d.countsInLocalisation)
	for _, s := range d.singleExplanations(d.anomalousComponents()) {
		odd = append(odd, d.finding(&s))
	}
	return compared, odd
}

// anomalousComponents returns the anomalous components, in the order of the system.
func (d *Detector) anomalousComponents() []int {
	list, _ := splitBy(d.facts.Attachments, func(c int) bool { return d.courses[c].compared && d.courses[c].anomalous })
	return list
}

// suspects returns the components of the list `of` that are suspects (course.suspect).
func (d *Detector) suspects(of []int) []int {
	list, _ := splitBy(of, func(c int) bool { return d.courses[c].suspect })
	return list
}

// splitBy divides components into two lists. The first list has the components c for which
// belongs(c) is true. The second list has the other components.
func splitBy(all []int, belongs func(c int) bool) (in, out []int) {
	for _, c := range all {
		if belongs(c) {
			in = append(in, c)
		} else {
			out = append(out, c)
		}
	}
	return in, out
}

// knownSingle finds the components that already have an open problem of their own, of class slow
// (all requests are slow) or tail (some requests are slow). It returns one explanation for each of
// these problems, and a list of the other components.
func (d *Detector) knownSingle(open []finding.OpenIncident, left []int) (explanations []explanation, rest []int) {
	for i := range open {
		o := &open[i]
		if o.Class != finding.Slow && o.Class != finding.Tail || o.Place.CanBeShared() {
			continue
		}
		var mine []int
		mine, left = splitBy(left, o.HasMember)
		if len(mine) > 0 {
			explanations = append(explanations, explanation{place: o.Place, members: mine, compared: 1})
		}
	}
	return explanations, left
}

// knownWide finds the components that belong to an open problem of many components. It returns one
// explanation for each such problem, and a list of the other components. If a member is far slower
// than nearly all other members, it also gets an explanation of its own.
func (d *Detector) knownWide(open []finding.OpenIncident, left []int) (explanations []explanation, rest []int) {
	for i := range open {
		o := &open[i]
		if o.Class != finding.Slow || !o.Place.CanBeShared() || o.Place.Tier.IsAttribute() {
			continue
		}
		luns := d.lunsOf(o)
		var mine []int
		mine, left = splitBy(left, func(c int) bool { return d.belongsTo(c, o, luns) })
		if len(mine) >= d.localise.MinMembers {
			far, _ := splitBy(mine, d.farSlowerThan(mine))
			explanations = append(explanations, d.singleExplanations(far)...)
		}
		if len(mine) >= d.minRemaining(o) {
			explanations = append(explanations, explanation{place: o.Place, members: mine, compared: o.Judged})
		}
	}
	return explanations, left
}

// minRemaining returns how many members of a known problem must still be slow. With fewer slow
// members, the problem does not continue. The result is an eighth of the components that the
// problem has affected so far, and at least minWideMembers.
func (d *Detector) minRemaining(o *finding.OpenIncident) int {
	return max(minWideMembers, int(d.criteria.QuarterShare/2*float64(len(o.Seen))))
}

// minWideMembers is the minimum number of members of a problem of many components. A problem with
// one member is a problem of a single component.
const minWideMembers = 2

// belongsTo reports whether a slow component is part of a known problem. A component is part of the
// problem if the component or its LUN was a member before. Any other component becomes a new member
// if three conditions hold:
//
//   - The component belongs to the place of the problem.
//   - It did not become slow long before the problem (becameSlowLongBefore).
//   - It became slow before the problem, or the problem is younger than BusySeconds.
func (d *Detector) belongsTo(c int, o *finding.OpenIncident, luns map[int]bool) bool {
	if o.HasMember(c) || luns[d.facts.LUNOf[c]] {
		return true
	}
	young := o.Seconds < d.opts.BusySeconds || d.monitor.ExcursionBegan(c) < o.Onset.Early
	return young && !d.becameSlowLongBefore(c, o.Onset) && d.facts.DependsOn(c, o.Place)
}

// lunsOf returns the LUNs of all components that were members of a problem.
func (d *Detector) lunsOf(o *finding.OpenIncident) map[int]bool {
	luns := map[int]bool{}
	for c := range o.Seen {
		if d.facts.LUNOf[c] >= 0 {
			luns[d.facts.LUNOf[c]] = true
		}
	}
	return luns
}

// farSlowerThan returns a function that reports whether a component has a problem of its own. Two
// conditions must hold: the component is far slower than nearly all of the given members, and its
// cost alone (slowness times duration) is enough for an incident.
func (d *Detector) farSlowerThan(members []int) func(c int) bool {
	var all []float64
	for _, c := range members {
		all = append(all, d.courses[c].slowness())
	}
	slices.Sort(all)
	usual := all[int(math.Ceil(d.criteria.NearlyAllShare*float64(len(all))))-1]
	return func(c int) bool {
		return d.courses[c].slowness() > d.criteria.ClearTimes*usual && d.amount([]int{c}, false) >= 1
	}
}

// withoutEarlier removes the members that became slow long before the other members
// (becameSlowLongBefore). These members have a problem of their own.
func (d *Detector) withoutEarlier(members []int) []int {
	onset := d.commonOnset(members)
	return slices.DeleteFunc(members, func(c int) bool { return d.becameSlowLongBefore(c, onset) })
}

// becameSlowLongBefore reports whether a component became slow more than SameCauseSeconds before
// the given onset. The cost of its slowness must also be at least the share QuarterShare of the
// cost of an incident. becameSlowLongBefore returns false if the component has become far slower
// since its onset, because then a second problem may have reached it (hasSecondProblem).
func (d *Detector) becameSlowLongBefore(c int, onset finding.Onset) bool {
	return d.onsetOf(c).Late < onset.Early-d.criteria.SameCauseSeconds && d.amount([]int{c}, false) >= d.criteria.QuarterShare && !d.hasSecondProblem(c)
}

// mergeSamePlaces merges explanations that blame the same place into one explanation.
func mergeSamePlaces(all []explanation) []explanation {
	var out []explanation
	for _, s := range all {
		at := slices.IndexFunc(out, func(o explanation) bool { return o.place == s.place })
		if at < 0 {
			out = append(out, s)
			continue
		}
		o := &out[at]
		_, more := splitBy(s.members, func(c int) bool { return slices.Contains(o.members, c) })
		o.members, o.compared = append(o.members, more...), max(o.compared, s.compared)
		if len(o.alike) == 0 {
			o.alike = s.alike
		}
	}
	return out
}

// RepeatsStall reports whether a finding repeats a known stall at the same place. A stall (class
// stall) is the worse form of the same problem, so the caller leaves the finding out. If an
// incident of class slow is open at the same place, RepeatsStall returns false, so that this
// incident continues.
func RepeatsStall(f *finding.Finding, open []finding.OpenIncident) bool {
	still, slow := false, false
	for i := range open {
		if o := &open[i]; o.Place == f.Place {
			still = still || o.Class == finding.Stall && o.Active
			slow = slow || o.Class == finding.Slow
		}
	}
	return still && !slow
}
