// This file finds the fewest components that explain what is odd.
//
// A failing controller is odd on each of its LUNs, a drawer on the LUNs that
// have a drive in it, a bad batch on drives of many servers. Whoever reads
// fifty lines wants the one that stands behind them (L13 §7). A component is
// blamed where far more of what hangs on it is odd than chance would have, and
// than elsewhere; no fixed majority decides, since a drawer may show on 11 of
// 72 LUNs.
//
// What several have in common across servers is an attribute: a model, a slot, a
// kernel. There are many of these, so that one of them coincides with what is odd
// in any large system. An attribute is named only where chance does as much once in
// so many years, with all attributes, their values and all looks counted.
//
// The package is arithmetic over sets: it knows neither storage nor time.

package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Unit is something that was judged.
type Unit struct {
	Odd    bool
	In     []int // components that it hangs on
	Holder int   // what fails as a whole: its server, or its array; -1 where it has none
}

// Explanation is a component to blame, and the odd units that it explains.
type Explanation struct {
	Component int
	Members   []int   // units, ascending
	Judged    int     // units that hang on it
	Gain      float64 // nats by which it describes them better than chance does
	// Alike are other components that explain the same units about as well: the
	// data do not tell which of them it is.
	Alike []int
}

// LocalisingOptions are the bounds of an explanation.
type LocalisingOptions struct {
	MinMembers int     `json:"min_members" least:"2"`   // fewer odd units are each their own
	MinGain    float64 `json:"min_gain_nats" above:"0"` // by which a component has to describe them better than chance
	// HealthyUnits is how many units are taken to be healthy elsewhere, beyond
	// those that were judged.
	HealthyUnits float64 `json:"healthy_units" least:"1"`
	// YearsPerFalseCause is once in how many years chance may make an attribute an
	// explanation, whatever number of attributes and values is looked at.
	YearsPerFalseCause float64 `json:"years_per_false_cause" above:"0"`
	// AlikeNats is by how much less another component may describe the same units
	// and still be told beside the one that is blamed.
	AlikeNats float64 `json:"alike_nats"`
}

// DefaultLocalisingOptions ask for four members, because two or three that are odd at
// once are met by chance in any large system, and for a gain of ten nats: one
// chance in twenty thousand, which a system of two hundred components that is
// judged two hundred times a day meets less than once in a day even if all
// judgements were independent, and they are not. With a hundred healthy units
// elsewhere, a system of one array has something to be compared with: chance
// has one in two hundred odd there. Chance makes a common cause once in ten years,
// longer than most systems run. Twenty to one, three nats, is what tells two
// explanations apart.
func DefaultLocalisingOptions() LocalisingOptions {
	return LocalisingOptions{MinMembers: 4, MinGain: 10, HealthyUnits: 100, YearsPerFalseCause: 10, AlikeNats: 3}
}

// Validate reports every setting that cannot work.
func (o *LocalisingOptions) Validate() error { return bounds.Check(*o) }

// Explain returns the components that explain the most, the best first. Each
// odd unit is explained at most once; what is left is its own. There is a component
// for each of across, which says whether it is an attribute; of two that explain the
// same equally well the one with the higher number is blamed. A look is made every
// so many seconds.
func (o *LocalisingOptions) Explain(units []Unit, across []bool, lookSeconds int64) []Explanation {
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

// ExplainTally is Explain of units that were counted. Members are places among those of
// the tally that are odd.
func (o *LocalisingOptions) ExplainTally(t *Tally, across []bool, lookSeconds int64) []Explanation {
	s := newScene(t, across)
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

// chanceBound is how unlikely an attribute has to be by chance, in nats: every
// attribute that could be named counts, and every look of so many years.
func (o *LocalisingOptions) chanceBound(s *scene, lookSeconds int64) float64 {
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

// gains are those of the components that may be blamed, and 0 of the others.
func (o *LocalisingOptions) gains(s *scene, bound float64) []float64 {
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

// alike are components that explain what another does about as well.
func (o *LocalisingOptions) alike(s *scene, gains []float64, best int) []int {
	var list []int
	for c, g := range gains {
		if c != best && g > 0 && g >= gains[best]-o.AlikeNats && s.odd[c] == s.odd[best] && s.sameLeft(c, best) {
			list = append(list, c)
		}
	}
	return list
}

// scene is what is still to be explained.
type scene struct {
	*Tally
	across []bool
	left   []bool       // by odd unit: it is not explained
	odd    []int        // by component: units that are left
	named  map[bool]int // how many attributes could be named, and how many others
	allOdd int
}

func newScene(t *Tally, across []bool) *scene {
	s := &scene{Tally: t, across: across, left: make([]bool, len(t.Odd)), odd: make([]int, len(across)), named: map[bool]int{false: t.Unlisted}}
	for _, attribute := range across {
		s.named[attribute]++
	}
	for i := range t.Odd {
		s.left[i] = true
		s.addOdd(i, 1)
	}
	return s
}

// addOdd counts a unit as odd, or no longer.
func (s *scene) addOdd(unit, by int) {
	s.allOdd += by
	for _, c := range s.Odd[unit].In {
		s.odd[c] += by
	}
}

// sameLeft says whether two components have the same units that are left.
func (s *scene) sameLeft(a, b int) bool {
	for i := range s.Odd {
		if s.left[i] && slices.Contains(s.Odd[i].In, a) != slices.Contains(s.Odd[i].In, b) {
			return false
		}
	}
	return true
}

// gain is how much better the odd units of a component are described by a
// share of its own than by the share elsewhere, less what it costs to name the
// component. It is 0 where less is odd than elsewhere.
func (s *scene) gain(c int, healthy float64) float64 {
	n, k := float64(s.Judged[c]), float64(s.odd[c])
	rest, oddRest := float64(s.All)-n, float64(s.allOdd)-k
	own, away := (k+0.5)/(n+1), (oddRest+0.5)/(rest+healthy)
	if own <= away {
		return 0
	}
	return k*math.Log(own/away) + (n-k)*math.Log((1-own)/(1-away)) - math.Log(float64(s.named[s.across[c]]))
}

// take explains the odd units of a component.
func (s *scene) take(c int) []int {
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
