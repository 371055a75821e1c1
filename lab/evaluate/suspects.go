package evaluate

import (
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/lab/simulate"
)

// suspects keeps who was suspect for a while. One who stays suspect from look to look
// counts once.
type suspects struct {
	began []suspicion
	now   []string // places, at the last look
}

// suspicion is when a place became suspect.
type suspicion struct {
	place string
	at    int64
}

// Look takes the suspects at a time.
func (s *suspects) Look(list []engine.Suspect, at int64) {
	var now []string
	for i := range list {
		name := list[i].Place.Name
		if now = append(now, name); !slices.Contains(s.now, name) {
			s.began = append(s.began, suspicion{name, at})
		}
	}
	s.now = now
}

// afterSeconds is for how long a fault that has ended still explains a suspect: it may
// show for a while.
const afterSeconds = 3600

// Count is how many there were, and how many of them nothing explains: neither does
// anything happen to them, nor did it a short while ago.
func (s *suspects) Count(truth *simulate.Truth) (all, unexplained int) {
	known := slices.Concat(truth.Faults, truth.Harmless)
	for _, m := range s.began {
		if !slices.ContainsFunc(known, func(f simulate.Fault) bool {
			span := spanOf(&f)
			return f.Component == m.place && span.from <= m.at && m.at <= span.to+afterSeconds
		}) {
			unexplained++
		}
	}
	return len(s.began), unexplained
}
