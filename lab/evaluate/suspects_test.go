package evaluate

import (
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/lab/simulate"
)

// TestSuspects: who stays suspect counts once, who comes again counts again, and what
// the truth explains is not false.
func TestSuspects(t *testing.T) {
	at := func(names ...string) (list []engine.Suspect) {
		for _, name := range names {
			list = append(list, engine.Suspect{Incident: incident.Incident{Place: blame.Place{Name: name}}})
		}
		return list
	}
	var s suspects
	s.Look(at("1.01", "1.02"), 900)
	s.Look(at("1.01"), 1800)
	s.Look(at("1.01", "1.02", "1.03"), 2700)
	truth := &simulate.Truth{Harmless: []simulate.Fault{{Component: "1.02", From: time.Unix(600, 0), To: time.Unix(1000, 0)}}}
	if all, unexplained := s.Count(truth); all != 4 || unexplained != 2 {
		t.Errorf("%d suspects, %d of them unexplained", all, unexplained)
	}
}
