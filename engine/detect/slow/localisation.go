package slow

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Localisation finds the fewest places that explain the anomalous components. A failing controller
// makes each of its LUNs anomalous. A failing drawer makes the LUNs with a drive in this drawer
// anomalous. A bad batch makes drives of many servers anomalous. An operator does not need fifty
// findings, but the one place that explains them (L13 §7). A place is blamed if the share of
// anomalous components at the place is far larger than elsewhere, and far larger than chance
// explains. No fixed share would work, because a failing drawer may make only 11 of 72 LUNs
// anomalous.
//
// Components of many servers can share an attribute: a model, a slot, a kernel. A large system has
// so many attributes that one of them always coincides with the anomalous components. So an
// attribute is blamed only if chance would cause such a coincidence at most once in
// YearsPerFalseCause years. This rate is the sum over all attributes, all their values and all
// ticks (attribute_chance.go).
//
// The code depends neither on storage systems nor on time. In this code, a unit represents a
// component, and a place is an index.

// Unit is one component that was compared. Odd is true if the component is anomalous.
type Unit struct {
	Odd    bool
	In     []int // indexes of the places that the unit belongs to
	Holder int   // index of the server or array that holds the unit and can fail as a whole; -1 if the unit has no holder
}

// Explanation is a place to blame, and the anomalous units that it explains.
type Explanation struct {
	Place   int     // index of the place
	Members []int   // indexes of the anomalous units that the place explains, ascending
	Judged  int     // number of compared units that belong to the place
	Gain    float64 // how much better a fault at the place explains the anomalous units than chance does, in nats (method gain)
	// Alike has the indexes of other places that explain the same units about as well as Place. The
	// data do not show which of these places is at fault.
	Alike []int
}

// LocalisationOptions decide when a place is blamed as the common cause of several anomalous units.
// A unit is a compared component.
type LocalisationOptions struct {
	// MinMembers is the minimum number of anomalous units that a place must explain to be blamed.
	MinMembers int `json:"min_members" least:"2"`
	// MinGain is the smallest gain (Explanation.Gain) of a place that is blamed, in nats.
	MinGain float64 `json:"min_gain_nats" above:"0"`
	// HealthyUnits is a number of imaginary healthy units. They are added to the compared units
	// outside a place, so that every place can be compared with other units.
	HealthyUnits float64 `json:"healthy_units" least:"1"`
	// YearsPerFalseCause sets the rate of false causes: at most one attribute that fits only by
	// chance may be blamed in YearsPerFalseCause years. This rate covers all attributes, all their
	// values and all ticks.
	YearsPerFalseCause float64 `json:"years_per_false_cause" above:"0"`
}

// DefaultLocalisationOptions returns the default settings.
//
// MinMembers is four, because two or three components are anomalous at the same time by chance in
// any large system. MinGain is ten nats: chance explains the anomalous units with a probability of
// one in twenty thousand. HealthyUnits is a hundred imaginary healthy units, because a system with
// only one array has no other units to compare with. YearsPerFalseCause is ten years, which is
// longer than the life of most systems.
func DefaultLocalisationOptions() LocalisationOptions {
	return LocalisationOptions{MinMembers: 4, MinGain: 10, HealthyUnits: 100, YearsPerFalseCause: 10}
}

// alikeNats is the largest difference, in nats, between the gain (Explanation.Gain) of the best
// place and the gain of a place that is reported as an alternative. If the gains of two places
// differ by three nats, one place is twenty times as likely to be at fault as the other.
const alikeNats = 3

// Validate returns an error that names every invalid setting.
func (o *LocalisationOptions) Validate() error { return bounds.Check(*o) }

// Explain returns the places that explain the anomalous units, the place with the largest gain
// first. Each anomalous unit has at most one explanation. A unit has no explanation if it belongs
// to none of the blamed places. For place p, across[p] is true if the place is an attribute. If two
// places have the same gain, the place with the higher index is blamed. The caller calls Explain
// every lookSeconds seconds.
func (o *LocalisationOptions) Explain(units []Unit, across []bool, lookSeconds int64) []Explanation {
	found := o.ExplainTally(NewTally(units, len(across)), across, lookSeconds)
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

// ExplainTally does the same as Explain, but from a tally of the units. The members of an
// explanation are indexes in Tally.Odd.
func (o *LocalisationOptions) ExplainTally(t *Tally, across []bool, lookSeconds int64) []Explanation {
	s := newUnexplained(t, across)
	if s.allAnomalous < o.MinMembers {
		return nil
	}
	bound := o.chanceBound(s, lookSeconds)
	var found []Explanation
	for {
		gains := o.allGains(s, bound)
		best, gain := -1, 0.0
		for c, g := range gains {
			if g > 0 && g >= gain {
				best, gain = c, g
			}
		}
		if best < 0 {
			return found
		}
		alike := o.alternatives(s, gains, best)
		found = append(found, Explanation{best, s.explainUnits(best), s.Judged[best], gain, alike})
	}
}

// chanceBound returns the smallest value of chanceNats with which an attribute is blamed. The more
// attributes could be blamed, and the more calls there are in YearsPerFalseCause years, the more
// often an attribute fits by chance. So the bound grows with the number of attributes and with the
// number of calls.
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

// allGains returns the gain (method gain) of each place that may be blamed, and 0 for all other
// places.
func (o *LocalisationOptions) allGains(s *unexplained, bound float64) []float64 {
	gains := make([]float64, len(s.across))
	for c := range gains {
		if s.anomalousAt[c] < o.MinMembers {
			continue
		}
		g := s.gain(c, o.HealthyUnits)
		if g >= o.MinGain && (!s.across[c] || s.chanceNats(c) >= bound) {
			gains[c] = g
		}
	}
	return gains
}

// alternatives returns the places that explain the same units about as well as the best place.
func (o *LocalisationOptions) alternatives(s *unexplained, gains []float64, best int) []int {
	var list []int
	for c, g := range gains {
		if c != best && g > 0 && g >= gains[best]-alikeNats && s.anomalousAt[c] == s.anomalousAt[best] && s.haveSameUnexplained(c, best) {
			list = append(list, c)
		}
	}
	return list
}

// unexplained holds the anomalous units that no place has explained so far.
type unexplained struct {
	*Tally
	across       []bool
	left         []bool       // by anomalous unit: whether it has no explanation
	anomalousAt  []int        // by place: number of its anomalous units without an explanation
	named        map[bool]int // number of places that are attributes (key true), and of all other places (key false)
	allAnomalous int
}

func newUnexplained(t *Tally, across []bool) *unexplained {
	s := &unexplained{Tally: t, across: across, left: make([]bool, len(t.Odd)), anomalousAt: make([]int, len(across)), named: map[bool]int{false: t.Unlisted}}
	for _, attribute := range across {
		s.named[attribute]++
	}
	for i := range t.Odd {
		s.left[i] = true
		s.addAnomalous(i, 1)
	}
	return s
}

// addAnomalous adds `by`, which is 1 or −1, to two counts: the number of all anomalous units, and
// the number of anomalous units of each place that the unit belongs to.
func (s *unexplained) addAnomalous(unit, by int) {
	s.allAnomalous += by
	for _, c := range s.Odd[unit].In {
		s.anomalousAt[c] += by
	}
}

// haveSameUnexplained reports whether two places have the same anomalous units without an
// explanation.
func (s *unexplained) haveSameUnexplained(a, b int) bool {
	for i := range s.Odd {
		if s.left[i] && slices.Contains(s.Odd[i].In, a) != slices.Contains(s.Odd[i].In, b) {
			return false
		}
	}
	return true
}

// gain compares two models of the units of a place. In the first model, the probability that a unit
// is anomalous is the share of anomalous units at this place. In the second model, this probability
// is the share of anomalous units elsewhere. The gain is the difference of the log-likelihoods, in
// nats, minus the logarithm of the number of places that could be blamed. This logarithm is
// subtracted because one of many places fits well by chance. The gain is 0 if the share at this
// place is not larger than the share elsewhere. One half is added to each number of anomalous
// units, so that every logarithm is finite.
func (s *unexplained) gain(c int, healthy float64) float64 {
	n, k := float64(s.Judged[c]), float64(s.anomalousAt[c])
	rest, oddRest := float64(s.All)-n, float64(s.allAnomalous)-k
	own, away := (k+0.5)/(n+1), (oddRest+0.5)/(rest+healthy)
	if own <= away {
		return 0
	}
	return k*math.Log(own/away) + (n-k)*math.Log((1-own)/(1-away)) - math.Log(float64(s.named[s.across[c]]))
}

// explainUnits marks the anomalous units of a place as explained, and returns their indexes.
func (s *unexplained) explainUnits(c int) []int {
	var members []int
	for i := range s.Odd {
		if s.left[i] && slices.Contains(s.Odd[i].In, c) {
			members = append(members, i)
			s.left[i] = false
			s.addAnomalous(i, -1)
		}
	}
	return members
}
