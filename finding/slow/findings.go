package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/place"
)

// story is some components that are slow for one reason.
type story struct {
	at      place.Place
	members []int
	judged  int           // components that hang on the place
	alike   []place.Place // that explain it about as well
	gathers bool          // what is known to be slow alone is a part of it
}

// Findings says what explains the components that are slow: first the problems
// that are known, then what several have in common, then each by itself. Each
// stage takes what the one before has left; causes take from what is known, too.
func (d *Detector) Findings(open []finding.Open) []finding.Finding {
	known, left := d.knownAlone(open, d.odd())
	wide, left := d.knownWide(open, left)
	causes, known, left := d.causes(open, slices.Concat(known, wide), left)
	shared, left := d.inCommon(left)
	stories := joined(slices.Concat(known, causes, shared, d.alone(d.suspects(left))))
	var found []finding.Finding
	for i := range stories {
		if f := d.finding(&stories[i]); !standsStill(&f, open) {
			found = append(found, f)
		}
	}
	return found
}

// alone makes a story of each component.
func (d *Detector) alone(components []int) []story {
	var stories []story
	for _, c := range components {
		stories = append(stories, story{at: d.Alone(c), members: []int{c}, judged: 1})
	}
	return stories
}

// Census lists who was judged and has something to do, and who is slow, each as if alone.
func (d *Detector) Census() (judged []int, odd []finding.Finding) {
	judged, _ = part(d.facts.Watched, d.counts)
	for _, s := range d.alone(d.odd()) {
		odd = append(odd, d.finding(&s))
	}
	return judged, odd
}

// odd are the components that are slow, or may be, in the order of the system.
func (d *Detector) odd() []int {
	var list []int
	for _, c := range d.facts.Watched {
		if w := &d.courses[c]; w.isJudged && w.odd {
			list = append(list, c)
		}
	}
	return list
}

// suspects are those of some components that are told even alone.
func (d *Detector) suspects(of []int) []int {
	list, _ := part(of, func(c int) bool { return d.courses[c].suspect })
	return list
}

// part splits components into those that belong and the others.
func part(all []int, belongs func(c int) bool) (in, out []int) {
	for _, c := range all {
		if belongs(c) {
			in = append(in, c)
		} else {
			out = append(out, c)
		}
	}
	return in, out
}

// knownAlone takes what is known to be slow on its own.
func (d *Detector) knownAlone(open []finding.Open, left []int) (stories []story, rest []int) {
	for i := range open {
		o := &open[i]
		if o.Class != finding.Slow || o.Place.Wide() {
			continue
		}
		var mine []int
		mine, left = part(left, o.Has)
		if len(mine) > 0 {
			stories = append(stories, story{at: o.Place, members: mine, judged: 1})
		}
	}
	return stories, left
}

// knownWide takes what belongs to known problems of many components. What was
// hit with others is not told again one by one, but for those that are far
// slower than the others, which is a problem of its own.
func (d *Detector) knownWide(open []finding.Open, left []int) (stories []story, rest []int) {
	for i := range open {
		o := &open[i]
		if o.Class != finding.Slow || !o.Place.Wide() || o.Place.Tier.Across() {
			continue
		}
		luns := d.lunsOf(o)
		var mine []int
		mine, left = part(left, func(c int) bool { return d.belongs(c, o, luns) })
		if len(mine) >= d.localise.MinMembers {
			stories = append(stories, d.outliers(mine)...)
		}
		if len(mine) >= max(d.opts.StillMembers, int(d.opts.StillShare*float64(len(o.Seen)))) {
			stories = append(stories, story{at: o.Place, members: mine, judged: o.Judged})
		}
	}
	return stories, left
}

// belongs says whether a component that is slow is of a known problem: it showed
// on the component or on its LUN, or it is young and the component hangs on it
// and was not slow long before.
func (d *Detector) belongs(c int, o *finding.Open, luns map[int]bool) bool {
	if o.Has(c) || luns[d.facts.LUNOf[c]] {
		return true
	}
	young := o.Seconds < d.opts.SettleSeconds || d.begins(c) < o.Onset.Early
	return young && !d.longBefore(c, o.Onset) && d.facts.Hangs(c, o.Place)
}

// lunsOf are the LUNs that a problem shows on, whichever path serves them.
func (d *Detector) lunsOf(o *finding.Open) map[int]bool {
	luns := map[int]bool{}
	for c := range o.Seen {
		if d.facts.LUNOf[c] >= 0 {
			luns[d.facts.LUNOf[c]] = true
		}
	}
	return luns
}

// outliers are members that are far slower than nearly all of the others.
func (d *Detector) outliers(members []int) []story {
	far, _ := part(members, d.farOf(members))
	return d.alone(far)
}

// farOf says of a component whether it is far slower than nearly all of some.
func (d *Detector) farOf(members []int) func(c int) bool {
	var all []float64
	for _, c := range members {
		all = append(all, d.courses[c].slowness())
	}
	slices.Sort(all)
	usual := all[int(math.Ceil(d.opts.OutlierShare*float64(len(all))))-1]
	return func(c int) bool {
		return d.courses[c].slowness() > d.opts.OutlierTimes*usual && d.amount([]int{c}, false) >= 1
	}
}

// begunTogether leaves out members that were slow long before the others, for
// long enough to matter: they are slow for a reason of their own.
func (d *Detector) begunTogether(members []int) []int {
	onset := d.onset(members)
	return slices.DeleteFunc(members, func(c int) bool { return d.longBefore(c, onset) })
}

// longBefore says whether a component was slow long before an onset, for long
// enough to matter, and was not hit since.
func (d *Detector) longBefore(c int, onset finding.Onset) bool {
	return d.onsetOf(c).Late < onset.Early-d.opts.LongSeconds && d.amount([]int{c}, false) >= d.opts.LongShare && !d.hit(c)
}

// joined makes one story of those at the same place.
func joined(all []story) []story {
	var out []story
	for _, s := range all {
		at := slices.IndexFunc(out, func(o story) bool { return o.at == s.at })
		if at < 0 {
			out = append(out, s)
			continue
		}
		o := &out[at]
		_, more := part(s.members, func(c int) bool { return slices.Contains(o.members, c) })
		o.members, o.judged = append(o.members, more...), max(o.judged, s.judged)
		if len(o.alike) == 0 {
			o.alike = s.alike
		}
	}
	return out
}

// standsStill says whether what is slow stands still, which is worse and the
// same problem, unless it was slow before.
func standsStill(f *finding.Finding, open []finding.Open) bool {
	still, slow := false, false
	for i := range open {
		if o := &open[i]; o.Place == f.Place {
			still = still || o.Class == finding.Stall && o.Active
			slow = slow || o.Class == finding.Slow
		}
	}
	return still && !slow
}
