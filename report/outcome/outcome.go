package outcome

import (
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// Outcome is the exit status of a command.
type Outcome int

// The outcomes. Every command has the first three; limpet diagnose --exit-code has the
// others.
const (
	Clean    Outcome = 0
	Failed   Outcome = 1
	Misused  Outcome = 2
	Incident Outcome = 3
	Suspects Outcome = 4
	Unjudged Outcome = 5
	Partial  Outcome = 6
)

// Outcomes returns all outcomes in the order of their codes.
func Outcomes() []Outcome {
	return []Outcome{Clean, Failed, Misused, Incident, Suspects, Unjudged, Partial}
}

func (o Outcome) String() string {
	return [...]string{
		"nothing is wrong",
		"error: the data could not be read, or a file could not be written",
		"usage: the command line has a mistake",
		"there is an incident that is not over: it continues, or the component recovers",
		"there are suspects, but no incident",
		"nothing could be judged: no data, too few peers, or data of too short a time",
		"nothing is wrong in the data, but a server of the topology has no data that limpet can use",
	}[o]
}

// Observer listens to a diagnosis and returns its outcome.
type Observer struct {
	system *topology.System
	about  topology.Set
	judged bool // any of the chosen components was judged
}

// NewObserver returns an observer of the chosen components.
func NewObserver(system *topology.System, about topology.Set) *Observer {
	return &Observer{system: system, about: about}
}

// Window remembers whether a chosen component could be judged.
func (w *Observer) Window(win *persistence.Window) {
	for i := range win.Verdicts {
		if v := &win.Verdicts[i]; !w.judged && v.State != persistence.Unjudged {
			w.judged = hangsOn(w.about, &w.system.Components[v.Component])
		}
	}
}

// List does nothing.
func (w *Observer) List(*engine.List) {}

// Event does nothing.
func (w *Observer) Event(*incident.Event) {}

// Outcome returns the outcome of a diagnosis that has ended. Incidents that are over, muted
// or harmless do not count.
func (w *Observer) Outcome(o *engine.Options, s *engine.Summary) Outcome {
	outcome := Clean
	if s.Examined == 0 && (!w.judged || s.To-s.From < o.LeastSeconds()) {
		outcome = Unjudged
	} else if len(withoutData(w.about, w.system, s)) > 0 {
		outcome = Partial
	}
	for i := range s.Suspects {
		if in := &s.Suspects[i].Incident; NeedsAttention(in) && IsAbout(w.about, w.system, in) {
			outcome = Suspects
		}
	}
	for i := range s.Incidents {
		if in := &s.Incidents[i]; NeedsAttention(in) && IsAbout(w.about, w.system, in) {
			return Incident
		}
	}
	return outcome
}

// withoutData returns the servers without any data that limpet can use, and with at least one of the
// chosen components. These components were not judged. A server whose components have no device is
// left out, because limpet cannot assign data to it.
func withoutData(about topology.Set, system *topology.System, s *engine.Summary) (names []string) {
	for _, q := range s.Silent {
		if q.Since == 0 && slices.ContainsFunc(system.Components, func(c topology.Component) bool {
			return c.Server == q.Server && c.Kind == topology.Attachment && (c.Device != "" || c.WWN != "") && hangsOn(about, &c)
		}) {
			names = append(names, q.Server)
		}
	}
	return names
}

// NeedsAttention reports whether an incident or a suspect is not over, not harmless and not muted.
func NeedsAttention(in *incident.Incident) bool {
	switch sentence.SectionOf(in) {
	case sentence.Now, sentence.Suspected, sentence.Recovering:
		return true
	}
	return false
}
