package outcome

import (
	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// Outcome is what has come of a command, and the code that it exits with.
type Outcome int

// The outcomes. The first three are those of every command; the others are told
// apart where they are asked for.
const (
	Clean    Outcome = 0
	Failed   Outcome = 1
	Misused  Outcome = 2
	Incident Outcome = 3
	Suspects Outcome = 4
	Unjudged Outcome = 5
)

// Outcomes are all of them, in the order of their codes.
func Outcomes() []Outcome { return []Outcome{Clean, Failed, Misused, Incident, Suspects, Unjudged} }

func (o Outcome) String() string {
	return [...]string{
		"nothing is wrong",
		"error: the data could not be read, or a file could not be written",
		"usage: the command line makes no sense",
		"there is an incident that goes on or recovers",
		"there are suspects, and no incident",
		"nothing could be judged: no data, too few peers, or too short a time",
	}[o]
}

// Watch hears a diagnosis and says what has come of it.
type Watch struct {
	system *topology.System
	about  topology.Set
	judged bool // anything that is asked for
}

// NewWatch returns a watch over the components that are asked for.
func NewWatch(system *topology.System, about topology.Set) *Watch {
	return &Watch{system: system, about: about}
}

// Window notes whether anything could be judged.
func (w *Watch) Window(win *persistence.Window) {
	for i := range win.Verdicts {
		if v := &win.Verdicts[i]; !w.judged && v.State != persistence.Unjudged {
			w.judged = hangsOn(w.about, &w.system.Components[v.Component])
		}
	}
}

// List has nothing to note.
func (w *Watch) List(*engine.List) {}

// Event has nothing to note.
func (w *Watch) Event(*incident.Event) {}

// Outcome says what has come of a diagnosis that has ended. Incidents that are
// over, muted or harmless count for nothing.
func (w *Watch) Outcome(o *engine.Options, s *engine.Summary) Outcome {
	outcome := Clean
	if s.Examined == 0 && (!w.judged || s.To-s.From < o.LeastSeconds()) {
		outcome = Unjudged
	}
	for i := range s.Suspects {
		if in := &s.Suspects[i].Incident; IsWrong(in) && Concerns(w.about, w.system, in) {
			outcome = Suspects
		}
	}
	for i := range s.Incidents {
		if in := &s.Incidents[i]; IsWrong(in) && Concerns(w.about, w.system, in) {
			return Incident
		}
	}
	return outcome
}

// IsWrong says whether an incident or a suspect asks for somebody: it goes on or
// recovers, has to be repaired, and no operator has muted it.
func IsWrong(in *incident.Incident) bool {
	switch sentence.SectionOf(in) {
	case sentence.Now, sentence.Suspected, sentence.Recovering:
		return true
	}
	return false
}
