package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// explanation is some components that are slow for one reason.
type explanation struct {
	at      blame.Place
	members []int
	judged  int           // components that hang on the place
	alike   []blame.Place // that explain it about as well
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
	explanations := joined(slices.Concat(known, causes, shared, d.eachAlone(d.suspects(left))))
	var found []finding.Finding
	for i := range explanations {
		if f := d.finding(&explanations[i]); !standsStill(&f, open) {
			found = append(found, f)
		}
	}
	return found
}

// eachAlone makes an explanation of each component.
func (d *Detector) eachAlone(components []int) []explanation {
	var explanations []explanation
	for _, c := range components {
		explanations = append(explanations, explanation{at: d.Alone(c), members: []int{c}, judged: 1})
	}
	return explanations
}

// Census lists the components that were judged and have something to do, and a finding
// of its own for each that is slow.
func (d *Detector) Census() (judged []int, odd []finding.Finding) {
	judged, _ = split(d.facts.Watched, d.isJudgedBusy)
	for _, s := range d.eachAlone(d.odd()) {
		odd = append(odd, d.finding(&s))
	}
	return judged, odd
}

// odd are the components that are slow, or may be, in the order of the system.
func (d *Detector) odd() []int {
	list, _ := split(d.facts.Watched, func(c int) bool { return d.courses[c].isJudged && d.courses[c].odd })
	return list
}

// suspects are those of some components that are told even alone.
func (d *Detector) suspects(of []int) []int {
	list, _ := split(of, func(c int) bool { return d.courses[c].suspect })
	return list
}

// split divides components into those that belong and the others.
func split(all []int, belongs func(c int) bool) (in, out []int) {
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
func (d *Detector) knownAlone(open []finding.Open, left []int) (explanations []explanation, rest []int) {
	for i := range open {
		o := &open[i]
		if o.Class != finding.Slow || o.Place.Wide() {
			continue
		}
		var mine []int
		mine, left = split(left, o.Has)
		if len(mine) > 0 {
			explanations = append(explanations, explanation{at: o.Place, members: mine, judged: 1})
		}
	}
	return explanations, left
}

// knownWide takes what belongs to known problems of many components. What was
// hit with others is not told again one by one, but for those that are far
// slower than the others, which is a problem of its own.
func (d *Detector) knownWide(open []finding.Open, left []int) (explanations []explanation, rest []int) {
	for i := range open {
		o := &open[i]
		if o.Class != finding.Slow || !o.Place.Wide() || o.Place.Tier.Across() {
			continue
		}
		luns := d.lunsOf(o)
		var mine []int
		mine, left = split(left, func(c int) bool { return d.belongs(c, o, luns) })
		if len(mine) >= d.localise.MinMembers {
			far, _ := split(mine, d.farOf(mine))
			explanations = append(explanations, d.eachAlone(far)...)
		}
		if len(mine) >= max(d.opts.StillMembers, int(d.opts.StillShare*float64(len(o.Seen)))) {
			explanations = append(explanations, explanation{at: o.Place, members: mine, judged: o.Judged})
		}
	}
	return explanations, left
}

// belongs says whether a component that is slow is of a known problem: it showed
// on the component or on its LUN, or it is young and the component hangs on it
// and was not slow long before.
func (d *Detector) belongs(c int, o *finding.Open, luns map[int]bool) bool {
	if o.Has(c) || luns[d.facts.LUNOf[c]] {
		return true
	}
	young := o.Seconds < d.opts.SettleSeconds || d.monitor.Since(c) < o.Onset.Early
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

// farOf returns a function that says whether a component is far slower than nearly all
// of the given ones.
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
	onset := d.commonOnset(members)
	return slices.DeleteFunc(members, func(c int) bool { return d.longBefore(c, onset) })
}

// longBefore says whether a component was slow long before an onset, for long
// enough to matter, and was not hit since.
func (d *Detector) longBefore(c int, onset finding.Onset) bool {
	return d.onsetOf(c).Late < onset.Early-d.opts.LongSeconds && d.amount([]int{c}, false) >= d.opts.LongShare && !d.hit(c)
}

// joined makes one explanation of those at the same place.
func joined(all []explanation) []explanation {
	var out []explanation
	for _, s := range all {
		at := slices.IndexFunc(out, func(o explanation) bool { return o.at == s.at })
		if at < 0 {
			out = append(out, s)
			continue
		}
		o := &out[at]
		_, more := split(s.members, func(c int) bool { return slices.Contains(o.members, c) })
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
