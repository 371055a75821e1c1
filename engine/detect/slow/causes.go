package slow

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
)

// A cause is an attribute that components of many servers share: a slot, a firmware version, a
// kernel. A cause need not make all its components slow at the same time. For example, drives of a
// bad batch become slow one by one, over weeks, and each drive is first reported as a separate
// problem. So the search for causes uses all slow components, including members of known problems.
// If chance cannot explain why so many of them share an attribute, these components become members
// of the cause. The same rule applies to a place whose components became slow one after the other,
// so that each component was first reported as a separate problem.

// causes finds the causes of slow components: known causes first, then new causes. The parameter
// `known` has the known problems that are not causes, and `left` has the components that belong to
// no known problem. The method returns the causes, the known problems without the members that
// moved to a cause, and the components that nothing explains.
func (d *Detector) causes(open []finding.OpenIncident, known []explanation, left []int) (causes, others []explanation, rest []int) {
	odd := union(left, known)
	fresh := d.explain(odd, nil)
	causes = d.knownCauses(open, fresh, &odd)
	if len(causes) > 0 {
		fresh = d.explain(odd, causes)
	}
	for _, s := range fresh {
		if d.regroup(&s, known) {
			causes = append(causes, s)
		}
	}
	causes = d.join(causes)
	for _, s := range known {
		least := 1
		if s.place.CanBeShared() {
			least = minWideMembers
		}
		if _, s.members = splitBy(s.members, func(c int) bool { return isMember(causes, c) }); len(s.members) >= least {
			others = append(others, s)
		}
	}
	_, rest = splitBy(left, func(c int) bool { return isMember(causes, c) })
	return causes, others, rest
}

// union returns the components in `some` and the members of the explanations, without duplicates.
func union(some []int, explanations []explanation) []int {
	all := slices.Clone(some)
	for i := range explanations {
		for _, c := range explanations[i].members {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// regroup decides which members a new explanation may take from known problems. It removes all
// other members, and reports whether at least MinMembers are left.
//
//   - An attribute takes all members, except members that are far slower than nearly all other
//     members.
//   - A place takes the members that became slow at about the same time. Only members that were
//     reported as separate problems before count for MinMembers.
func (d *Detector) regroup(s *explanation, known []explanation) bool {
	var alone int
	if s.place.Tier.IsAttribute() {
		s.members = d.withoutFarSlower(s.members)
		alone = len(s.members)
	} else {
		s.members = d.withoutEarlier(s.members)
		foundAlone, _ := splitBy(s.members, func(c int) bool { return isKnownSingle(known, c) })
		alone = len(foundAlone)
	}
	s.gathers = alone >= d.localise.MinMembers
	return s.gathers
}

// isKnownSingle reports whether a component is a member of a known problem of a single
// component.
func isKnownSingle(known []explanation, c int) bool {
	return slices.ContainsFunc(known, func(s explanation) bool { return !s.place.CanBeShared() && slices.Contains(s.members, c) })
}

// isMember reports whether a component is a member of at least one of the explanations.
func isMember(by []explanation, c int) bool {
	return slices.ContainsFunc(by, func(s explanation) bool { return slices.Contains(s.members, c) })
}

// knownCauses returns the known causes that still have enough slow members, each with its present
// members. It removes these members from `odd`, the list of anomalous components. It leaves out a
// known cause that a wider new cause (in `fresh`) replaces.
func (d *Detector) knownCauses(open []finding.OpenIncident, fresh []explanation, odd *[]int) (held []explanation) {
	for i := range open {
		o := &open[i]
		if o.Class != finding.Slow || !o.Place.Tier.IsAttribute() {
			continue
		}
		mine, others := splitBy(*odd, func(c int) bool { return o.HasMember(c) || d.courses[c].suspect && d.facts.DependsOnAny(c, o.Places()) })
		mine = d.withoutFarSlower(mine)
		if slices.ContainsFunc(fresh, func(s explanation) bool { return d.replaces(&s, o, mine) }) {
			continue
		}
		if len(mine) >= d.minRemaining(o) {
			held = append(held, explanation{place: o.Place, joined: o.Joined, members: mine, compared: o.Judged, gathers: true, confirmed: o.Confirmed})
			*odd = others
		}
	}
	return held
}

// replaces reports whether the new cause s replaces the known cause o. The new cause must explain
// all present members of the known cause (`mine`), and at least MinMembers other components.
func (d *Detector) replaces(s *explanation, o *finding.OpenIncident, mine []int) bool {
	if s.place == o.Place || !s.place.Tier.IsAttribute() {
		return false
	}
	_, missed := splitBy(mine, func(c int) bool { return slices.Contains(s.members, c) })
	return len(missed) == 0 && len(s.members) >= len(mine)+d.localise.MinMembers
}

// withoutFarSlower removes members that are far slower than nearly all other members. A cause that
// makes forty drives a little slower does not explain a drive that hardly answers.
func (d *Detector) withoutFarSlower(members []int) []int {
	if len(members) < d.localise.MinMembers {
		return members
	}
	_, near := splitBy(members, d.farSlowerThan(members))
	return near
}

// explain finds the attributes and the places that the components of a list have in common. It
// looks for places too, so that the slowness of a server is not blamed on an attribute of its
// drives. Members of the known explanations count neither as anomalous nor as healthy.
func (d *Detector) explain(list []int, known []explanation) []explanation {
	if len(list) < d.localise.MinMembers {
		return nil
	}
	odd := map[int]bool{}
	for _, c := range list {
		odd[c] = true
	}
	var units []Unit
	var who []int
	for _, c := range d.facts.Attachments {
		if d.countsInLocalisation(c) && !isMember(known, c) {
			units, who = append(units, Unit{Odd: odd[c], In: d.facts.PlacesOf[c], Holder: d.facts.HolderOf[c]}), append(who, c)
		}
	}
	var explanations []explanation
	for _, x := range d.localise.Explain(units, d.facts.IsAttribute, d.criteria.TickSteps*d.step) {
		s := explanation{place: d.facts.Places[x.Place], compared: x.Judged}
		for _, u := range x.Members {
			s.members = append(s.members, who[u])
		}
		for _, p := range x.Alike {
			s.alike = append(s.alike, d.facts.Places[p])
		}
		explanations = append(explanations, s)
	}
	return explanations
}

// commonPlaces finds the places whose components became slow at about the same time. It returns one
// explanation for each place, and the components that no place explains.
func (d *Detector) commonPlaces(left []int) (explanations []explanation, rest []int) {
	for _, s := range d.explain(left, nil) {
		if s.place.Tier.IsAttribute() {
			continue // only Detector.causes blames attributes
		}
		s.members = d.withoutEarlier(s.members)
		_, left = splitBy(left, func(c int) bool { return slices.Contains(s.members, c) })
		explanations = append(explanations, s)
	}
	return explanations, left
}
