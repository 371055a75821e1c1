package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Localisation finds the fewest places that explain the odd components. A failing
// controller makes each of its LUNs odd, a failing drawer makes the LUNs with a drive in
// it odd, and a bad batch makes drives of many servers odd. A reader of fifty lines
// wants the one place behind them (L13 §7). A place is blamed if far more of its
// components are odd than chance explains, and than are odd elsewhere. No fixed majority
// decides, because a drawer may show on 11 of 72 LUNs.
//
// Components of many servers can share an attribute: a model, a slot, a kernel. In a
// large system some attribute always coincides with the odd components, because there
// are many attributes. So an attribute is named only if chance would name one at most
// once in YearsPerFalseCause years, over all attributes, their values and all ticks
// (attribute_chance.go).
//
// The code is arithmetic over sets, without storage and without time: a unit is a
// component, and a place is an index.

// Unit is one component that was compared.
type Unit struct {
	Odd    bool
	In     []int // places that it hangs on
	Holder int   // server or array of the unit, which fails as a whole; -1 for a unit without one
}

// Explanation is a place to blame, and the odd units that it explains.
type Explanation struct {
	Place   int     // index into the places
	Members []int   // units, ascending
	Judged  int     // compared units that hang on the place
	Gain    float64 // how much better than chance the place describes its odd units, in nats
	// Alike are other places that explain the same units about as well: the data cannot
	// separate them.
	Alike []int
}

// LocalisationOptions are the bounds of an explanation.
type LocalisationOptions struct {
	// MinMembers is the least number of odd units that an explanation needs.
	MinMembers int `json:"min_members" least:"2"`
	// MinGain is how much better than chance a place must describe its odd units, in
	// nats.
	MinGain float64 `json:"min_gain_nats" above:"0"`
	// HealthyUnits is the number of healthy units that are assumed to be elsewhere, in
	// addition to the compared units.
	HealthyUnits float64 `json:"healthy_units" least:"1"`
	// YearsPerFalseCause bounds false attributes: chance may name one attribute in
	// YearsPerFalseCause years, over all attributes, all their values and all ticks.
	YearsPerFalseCause float64 `json:"years_per_false_cause" above:"0"`
	// AlikeNats is how much less than the best place another place may gain and still be
	// reported beside it.
	AlikeNats float64 `json:"alike_nats"`
}

// DefaultLocalisationOptions returns the default bounds of an explanation.
//
// Four members: two or three components are odd at once by chance in any large system. A
// gain of ten nats is one chance in twenty thousand; chance reaches this gain less than
// once a day in a system of two hundred components with two hundred ticks a day, even if
// all ticks were independent, and they are not. A hundred healthy units give a system of
// one array something to compare with: chance makes one in two hundred odd there. One
// false attribute in ten years is rarer than the life of most systems. A ratio of twenty
// to one, three nats, separates two explanations.
func DefaultLocalisationOptions() LocalisationOptions {
	return LocalisationOptions{MinMembers: 4, MinGain: 10, HealthyUnits: 100, YearsPerFalseCause: 10, AlikeNats: 3}
}

// Validate reports every setting that cannot work.
func (o *LocalisationOptions) Validate() error { return bounds.Check(*o) }

// Explain returns the places that explain most odd units, the best first. Each odd unit
// has at most one explanation; units without one are odd alone. Across holds, by place,
// whether the place is an attribute. If two places are equally good, the place with the
// higher index is blamed. LookSeconds is the time between two calls.
func (o *LocalisationOptions) Explain(units []Unit, across []bool, lookSeconds int64) []Explanation {
	found := o.ExplainTally(Count(units, len(across)), across, lookSeconds)
	var odd []int
	for i := range units {
		if units[i].Odd {
			odd = append(odd, i)
		}
	}
	for i := range found {
		for k, at := range found[i].Members {
			found[i].Members[k] = odd[at]
		}
	}
	return found
}

// ExplainTally is Explain for a tally. Members are indexes into the odd units of the
// tally.
func (o *LocalisationOptions) ExplainTally(t *Tally, across []bool, lookSeconds int64) []Explanation {
	s := newUnexplained(t, across)
	if s.allOdd < o.MinMembers {
		return nil
	}
	bound := o.chanceBound(s, lookSeconds)
	var found []Explanation
	for {
		gains := o.gains(s, bound)
		best, gain := -1, 0.0
		for c, g := range gains {
			if g > 0 && g >= gain {
				best, gain = c, g
			}
		}
		if best < 0 {
			return found
		}
		alike := o.alike(s, gains, best)
		found = append(found, Explanation{best, s.take(best), s.Judged[best], gain, alike})
	}
}

// chanceBound returns how unlikely by chance an attribute must be, in nats. Every
// attribute that could be named counts, and every look in YearsPerFalseCause years.
func (o *LocalisationOptions) chanceBound(s *unexplained, lookSeconds int64) float64 {
	looked := 0
	for c, across := range s.across {
		if across && s.Judged[c] >= o.MinMembers {
			looked++
		}
	}
	const secondsPerYear = 365.25 * 86400
	looks := o.YearsPerFalseCause * secondsPerYear / float64(max(lookSeconds, 1))
	return math.Log(max(looks, 1) * float64(max(looked, 1)))
}

// gains returns the gain of each place that may be blamed, and 0 for the others.
func (o *LocalisationOptions) gains(s *unexplained, bound float64) []float64 {
	gains := make([]float64, len(s.across))
	for c := range gains {
		if s.odd[c] < o.MinMembers {
			continue
		}
		g := s.gain(c, o.HealthyUnits)
		if g >= o.MinGain && (!s.across[c] || s.chanceNats(c) >= bound) {
			gains[c] = g
		}
	}
	return gains
}

// alike returns the places that explain the same units about as well as the best place.
func (o *LocalisationOptions) alike(s *unexplained, gains []float64, best int) []int {
	var list []int
	for c, g := range gains {
		if c != best && g > 0 && g >= gains[best]-o.AlikeNats && s.odd[c] == s.odd[best] && s.sameLeft(c, best) {
			list = append(list, c)
		}
	}
	return list
}

// unexplained holds the odd units without an explanation so far.
type unexplained struct {
	*Tally
	across []bool
	left   []bool       // by odd unit: it has no explanation
	odd    []int        // by place: number of its odd units without an explanation
	named  map[bool]int // number of attributes that could be named, and of other places
	allOdd int
}

func newUnexplained(t *Tally, across []bool) *unexplained {
	s := &unexplained{Tally: t, across: across, left: make([]bool, len(t.Odd)), odd: make([]int, len(across)), named: map[bool]int{false: t.Unlisted}}
	for _, attribute := range across {
		s.named[attribute]++
	}
	for i := range t.Odd {
		s.left[i] = true
		s.addOdd(i, 1)
	}
	return s
}

// addOdd adds by, which is 1 or −1, to the counts of the places of an odd unit.
func (s *unexplained) addOdd(unit, by int) {
	s.allOdd += by
	for _, c := range s.Odd[unit].In {
		s.odd[c] += by
	}
}

// sameLeft reports whether two places have the same odd units without an explanation.
func (s *unexplained) sameLeft(a, b int) bool {
	for i := range s.Odd {
		if s.left[i] && slices.Contains(s.Odd[i].In, a) != slices.Contains(s.Odd[i].In, b) {
			return false
		}
	}
	return true
}

// gain compares the place's own share of odd units with the share elsewhere. It returns
// how much better its own share describes the units of the place, less the cost of
// naming the place, in nats. It returns 0 if the own share is not larger.
func (s *unexplained) gain(c int, healthy float64) float64 {
	n, k := float64(s.Judged[c]), float64(s.odd[c])
	rest, oddRest := float64(s.All)-n, float64(s.allOdd)-k
	own, away := (k+0.5)/(n+1), (oddRest+0.5)/(rest+healthy)
	if own <= away {
		return 0
	}
	return k*math.Log(own/away) + (n-k)*math.Log((1-own)/(1-away)) - math.Log(float64(s.named[s.across[c]]))
}

// take marks the odd units of a place as explained, and returns them.
func (s *unexplained) take(c int) []int {
	var members []int
	for i := range s.Odd {
		if s.left[i] && slices.Contains(s.Odd[i].In, c) {
			members = append(members, i)
			s.left[i] = false
			s.addOdd(i, -1)
		}
	}
	return members
}
