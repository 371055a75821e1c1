// Package localise finds the fewest components that explain what is odd.
//
// A failing controller is odd on each of its LUNs, a drawer on the LUNs that
// have a drive in it, a bad batch on drives of many servers. Whoever reads
// fifty lines wants the one that stands behind them (L13 §7). A component is
// blamed where far more of what hangs on it is odd than chance would have, and
// than elsewhere; no fixed majority decides, since a drawer may show on 11 of
// 72 LUNs.
//
// The package is arithmetic over sets: it knows neither storage nor time.
package localise

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Unit is something that was judged.
type Unit struct {
	Odd bool
	In  []int // components that it hangs on
}

// Explanation is a component to blame, and the odd units that it explains.
type Explanation struct {
	Component int
	Members   []int   // units, ascending
	Judged    int     // units that hang on it
	Gain      float64 // nats by which it describes them better than chance does
}

// Options are the bounds of an explanation.
type Options struct {
	MinMembers int     `json:"min_members"`   // fewer odd units are each their own
	MinGain    float64 `json:"min_gain_nats"` // by which a component has to describe them better than chance
	// HealthyUnits is how many units are taken to be healthy elsewhere, beyond
	// those that were judged.
	HealthyUnits float64 `json:"healthy_units"`
}

// DefaultOptions ask for four members, because two or three that are odd at
// once are met by chance in any large system, and for a gain of ten nats: one
// chance in twenty thousand, which a system of two hundred components that is
// judged two hundred times a day meets less than once in a day even if all
// judgements were independent, and they are not. With a hundred healthy units
// elsewhere, a system of one array has something to be compared with: chance
// has one in two hundred odd there.
func DefaultOptions() Options { return Options{MinMembers: 4, MinGain: 10, HealthyUnits: 100} }

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	var errs []error
	if o.MinMembers < 2 {
		errs = append(errs, fmt.Errorf("components blamed for %d members: at least 2 are needed", o.MinMembers))
	}
	if !(o.MinGain > 0) {
		errs = append(errs, fmt.Errorf("a gain of %g nats: it has to be above 0", o.MinGain))
	}
	if !(o.HealthyUnits >= 1) {
		errs = append(errs, fmt.Errorf("%g healthy units elsewhere: at least 1 is needed", o.HealthyUnits))
	}
	return errors.Join(errs...)
}

// Explain returns the components that explain the most, the best first. Each
// odd unit is explained at most once; what is left is its own. Components are
// numbered from 0 to components−1; of two that explain the same equally well
// the one with the higher number is blamed.
func (o *Options) Explain(units []Unit, components int) []Explanation {
	s := newScene(units, components)
	var found []Explanation
	for {
		best, gain := -1, 0.0
		for c := range components {
			if s.odd[c] < o.MinMembers {
				continue
			}
			if g := s.gain(c, o.HealthyUnits); g >= o.MinGain && g >= gain {
				best, gain = c, g
			}
		}
		if best < 0 {
			return found
		}
		found = append(found, Explanation{best, s.take(best), s.judged[best], gain})
	}
}

// scene is what is still to be explained.
type scene struct {
	units       []Unit
	left        []bool // by unit: odd, and not explained
	judged, odd []int  // by component; odd counts what is left
	all, allOdd int
}

func newScene(units []Unit, components int) *scene {
	s := &scene{units: units, left: make([]bool, len(units)), judged: make([]int, components), odd: make([]int, components), all: len(units)}
	for i := range units {
		for _, c := range units[i].In {
			s.judged[c]++
		}
		if units[i].Odd {
			s.left[i] = true
			s.count(i, 1)
		}
	}
	return s
}

func (s *scene) count(unit, by int) {
	s.allOdd += by
	for _, c := range s.units[unit].In {
		s.odd[c] += by
	}
}

// gain is how much better the odd units of a component are described by a
// share of its own than by the share elsewhere, less what it costs to name the
// component. It is 0 where less is odd than elsewhere.
func (s *scene) gain(c int, healthy float64) float64 {
	n, k := float64(s.judged[c]), float64(s.odd[c])
	rest, oddRest := float64(s.all)-n, float64(s.allOdd)-k
	own, away := (k+0.5)/(n+1), (oddRest+0.5)/(rest+healthy)
	if own <= away {
		return 0
	}
	return k*math.Log(own/away) + (n-k)*math.Log((1-own)/(1-away)) - math.Log(float64(len(s.judged)))
}

// take explains the odd units of a component.
func (s *scene) take(c int) []int {
	var members []int
	for i := range s.units {
		if s.left[i] && slices.Contains(s.units[i].In, c) {
			members = append(members, i)
			s.left[i] = false
			s.count(i, -1)
		}
	}
	return members
}
