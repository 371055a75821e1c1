package evaluate

import (
	"math"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// span is a period of Unix time.
type span struct{ from, to int64 }

// spanOf returns the period of an event: all times if the truth gives no period.
func spanOf(f *simulate.Fault) span {
	s := span{math.MinInt64 / 2, math.MaxInt64 / 2} // half of the range, so that a sum does not overflow
	if !f.From.IsZero() {
		s.from = f.From.Unix()
	}
	if !f.To.IsZero() {
		s.to = f.To.Unix()
	}
	return s
}

// state is the true state of a component during a window.
type state int

const (
	healthy  state = iota
	mustShow       // a fault hits the component, and must show on it
	mayShow        // a fault touches the component, and may show on it
	between        // a fault begins or has just ended: any verdict counts as right
)

// knowledge holds the truth by component.
type knowledge struct {
	faults   [][]touch
	harmless [][]span
	memory   int64 // seconds after a fault in which verdicts may still be caused by it
}

// touch is a fault of a component.
type touch struct {
	span
	expected bool
}

func newKnowledge(system *topology.System, truth *simulate.Truth, memory int64) (*knowledge, []shows, error) {
	n := len(system.Components)
	k := &knowledge{faults: make([][]touch, n), harmless: make([][]span, n), memory: memory}
	var all []shows
	for i := range truth.Faults {
		s, err := showsOn(system, &truth.Faults[i])
		if err != nil {
			return nil, nil, err
		}
		k.add(s.Expected, touch{spanOf(&truth.Faults[i]), true})
		k.add(s.Allowed, touch{spanOf(&truth.Faults[i]), false})
		all = append(all, s)
	}
	for i := range truth.Harmless {
		hit, _ := hitBy(system, &truth.Harmless[i]) // a component that is not watched causes no alarm
		for _, c := range hit {
			k.harmless[c] = append(k.harmless[c], spanOf(&truth.Harmless[i]))
		}
	}
	return k, all, nil
}

func (k *knowledge) add(components []int, t touch) {
	for _, c := range components {
		k.faults[c] = append(k.faults[c], t)
	}
}

// state returns the state of a component during a window.
func (k *knowledge) state(c int, w span) state {
	now := healthy
	for _, t := range k.faults[c] {
		switch {
		case w.to <= t.from || w.from >= t.to+k.memory:
		case w.from < t.from || w.to > t.to:
			if now == healthy {
				now = between
			}
		case t.expected:
			return mustShow
		default:
			now = mayShow
		}
	}
	return now
}

// isHarmless reports whether an event that only looks like a fault touches the component during a
// window.
func (k *knowledge) isHarmless(c int, w span) bool {
	for _, s := range k.harmless[c] {
		if w.to > s.from && w.from < s.to+k.memory {
			return true
		}
	}
	return false
}
