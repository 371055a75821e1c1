package evaluate

import (
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/lab/simulate"
)

// suspects collects suspects over several looks. A component that remains suspect from one look to
// the next counts once.
type suspects struct {
	began []suspicion
	now   []string // places that were suspect at the last look
}

// suspicion is a place and the time at which it became suspect.
type suspicion struct {
	place string
	at    int64
}

// Look adds the suspects of one moment.
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

// afterSeconds is the time for which a fault that has ended still explains a suspect: its effect
// may last a little longer.
const afterSeconds = 3600

// Count returns the number of suspects, and the number of them without an explanation: the truth
// has no event at their component at that time or shortly before.
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
