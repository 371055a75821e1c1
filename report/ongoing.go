package report

import (
	"io"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
)

// Standing is how things stand at one moment of a diagnosis that goes on.
type Standing struct {
	Summary
	// Incidents are those of the engine and those that it has forgotten, section
	// by section. They take the place of the summary's.
	Incidents []incident.Incident
	Verdict   string // the first line of a report
	// NothingLimps is set where the verdict is that nothing limps: enough could be judged,
	// and no incident goes on.
	NothingLimps bool
}

// WriteJSON writes the document that diagnose would print if it ended now.
func WriteJSON(w io.Writer, subject Subject, s Standing) error {
	subject.Lists = false
	j := newJSON(w, subject)
	j.begin()
	j.base.open(&s.Summary)
	j.end(s)
	return j.err
}

// WriteText writes the text that diagnose would print if it ended now.
func WriteText(w io.Writer, subject Subject, s Standing) error {
	subject.Lists = false
	t := newText(w, subject)
	t.open(&s.Summary)
	t.end(s)
	return t.err
}

// Ongoing is what a report has to remember of a diagnosis that never ends: it
// listens, and says at any moment how things stand.
type Ongoing struct{ base }

// NewOngoing returns one that has heard nothing.
func NewOngoing(s Subject) *Ongoing { return &Ongoing{newBase(s)} }

// Window notes what could be judged.
func (m *Ongoing) Window(w *persistence.Window) { m.Judge(w) }

// List is of no interest.
func (*Ongoing) List(*engine.List) {}

// State writes or reads what is remembered.
func (m *Ongoing) State(c *state.Codec, axes *blame.Axes) { m.incidentArchive.State(c, axes) }

// At says how things stand, by a summary of the engine. The result shares nothing
// with the memory.
func (m *Ongoing) At(s Summary) Standing {
	all := m.chosen(&s)
	for i := range all {
		all[i] = all[i].Clone()
	}
	return m.standing(&s, all)
}
