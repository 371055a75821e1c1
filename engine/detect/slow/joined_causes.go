package slow

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
)

// One fault may act on several values of an attribute. For example, an upgrade makes the drives in
// slots 1 and 2 of 16 servers slow, and no other drives. Localisation looks for places and
// attributes that slow components have in common. It finds slot 1 and slot 2 as two causes. Join
// joins two causes if their slow components are on nearly the same servers or arrays, and became
// slow there at the same time.

// Cause is a place or an attribute that makes components slow, with the onset of each of these
// components. [LocalisationOptions.Join] compares causes by these onsets.
type Cause struct {
	Place     blame.Place
	Joined    []blame.Place // attributes that were joined with Place at an earlier tick
	Confirmed int64         // Unix time at which the cause became an incident; 0 if it is no incident
	Begun     []Begun       // one onset for each member
}

// Begun is the onset of one slow component. Holder is the number of the server or array that holds
// the component; -1 if the component has no holder.
type Begun struct {
	Holder int
	Onset  finding.Onset
}

// Join finds causes that have the same origin. It returns one list of indexes for each origin. The
// first index of a list is the cause that keeps its place: the cause that was confirmed first, or
// the first cause in the order of [blame.Compare] if none is confirmed. The parameter `holders` is
// the number of holders (servers or arrays) with compared components.
func (o *LocalisationOptions) Join(causes []Cause, holders int, shared *criteria.Options) [][]int {
	order := make([]int, len(causes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := &causes[a], &causes[b]
		unknown := cmp.Compare(toInt(x.Confirmed == 0), toInt(y.Confirmed == 0))
		return cmp.Or(unknown, cmp.Compare(x.Confirmed, y.Confirmed), blame.Compare(x.Place, y.Place))
	})
	var lists [][]int
	for _, i := range order {
		c := &causes[i]
		at := slices.IndexFunc(lists, func(list []int) bool {
			first := &causes[list[0]]
			return slices.Contains(first.Joined, c.Place) || o.haveOneCause(first, c, holders, shared)
		})
		if at < 0 {
			lists = append(lists, []int{i})
		} else {
			lists[at] = append(lists[at], i)
		}
	}
	return lists
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// haveOneCause reports whether two attributes have one cause. It looks at the holders (servers or
// arrays) with slow components of at least one of the two attributes. On most of these holders,
// components of both attributes must have become slow together, within SameCauseSeconds. At most
// the share QuarterShare of the holders may be exceptions. Exceptions are allowed because some
// members of a cause are found hours after the other members.
//
// If the onsets are older than the data, they do not show whether the components became slow
// together. Then these holders must also be at most half of all holders. Otherwise two separate
// causes would meet on many holders by chance, and look like one cause.
func (o *LocalisationOptions) haveOneCause(a, b *Cause, holders int, shared *criteria.Options) bool {
	if !a.Place.Tier.IsAttribute() || !b.Place.Tier.IsAttribute() {
		return false
	}
	first, second := a.onsets(), b.onsets()
	all := len(second)
	for h := range first {
		if _, both := second[h]; !both {
			all++
		}
	}
	few, together := 2*all <= holders, 0
	for h, x := range first {
		y, both := second[h]
		dated := !x.Earlier && !y.Earlier
		if both && (dated || few) && max(x.Early, y.Early)-min(x.Late, y.Late) <= shared.SameCauseSeconds {
			together++
		}
	}
	return together >= o.MinMembers && float64(all-together) <= shared.QuarterShare*float64(all)
}

// onsets returns the earliest onset of the members on each holder (server or array).
func (c *Cause) onsets() map[int]finding.Onset {
	by := map[int]finding.Onset{}
	for _, m := range c.Begun {
		if known, ok := by[m.Holder]; m.Holder >= 0 && (!ok || m.Onset.At < known.At) {
			by[m.Holder] = m.Onset
		}
	}
	return by
}

// join merges explanations that have the same cause into one explanation.
func (d *Detector) join(causes []explanation) []explanation {
	if len(causes) < 2 {
		return causes
	}
	list := make([]Cause, len(causes))
	for i := range causes {
		s := &causes[i]
		list[i] = Cause{Place: s.place, Joined: s.joined, Confirmed: s.confirmed}
		for _, c := range s.members {
			list[i].Begun = append(list[i].Begun, Begun{d.facts.HolderOf[c], d.onsetOf(c)})
		}
	}
	var out []explanation
	for _, of := range d.localise.Join(list, d.countHolders(), &d.criteria) {
		one := causes[of[0]]
		for _, i := range of[1:] {
			d.joinTo(&one, &causes[i])
		}
		out = append(out, one)
	}
	return out
}

// joinTo adds the place and the members of explanation s to explanation `one`. It drops the other
// places that `one` had as alternatives (alike), because they explain only a part of the members.
func (d *Detector) joinTo(one, s *explanation) {
	if !slices.Contains(one.places(), s.place) {
		one.joined = slices.DeleteFunc(blame.Union(one.joined, s.places()), func(p blame.Place) bool { return p == one.place })
		one.alike = nil
	}
	_, more := splitBy(s.members, func(c int) bool { return slices.Contains(one.members, c) })
	one.members = slices.Concat(one.members, more)
	there, _ := splitBy(d.facts.Attachments, func(c int) bool { return d.countsInLocalisation(c) && d.facts.DependsOnAny(c, one.places()) })
	one.compared = max(one.compared, len(there))
}

// countHolders returns the number of holders (servers or arrays) with compared components.
func (d *Detector) countHolders() int {
	known := map[int]bool{}
	for _, c := range d.facts.Attachments {
		if d.countsInLocalisation(c) {
			known[d.facts.HolderOf[c]] = true
		}
	}
	return len(known)
}
