package report

import (
	"io"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
)

// Result is the result of a running diagnosis at one moment.
type Result struct {
	Summary
	// Incidents has the incidents that the engine knows and those that it has forgotten, section by
	// section. It replaces the incidents of the summary.
	Incidents []incident.Incident
	Verdict   string // the first line of a report
	// NothingLimps is set if the verdict is that nothing limps: enough could be judged, and no
	// incident goes on.
	NothingLimps bool
}

// doubtsBeside returns the doubts that the verdict of a report does not have.
func (s *Result) doubtsBeside() []string {
	return slices.DeleteFunc(slices.Clone(s.Doubts), func(text string) bool { return strings.Contains(s.Verdict, text) })
}

// WriteJSON writes the document that diagnose would print if it ended now.
func WriteJSON(w io.Writer, subject Subject, s Result) error {
	subject.Lists = false
	j := newJSON(w, subject)
	j.begin()
	j.base.open(&s.Summary)
	j.end(s)
	return j.err
}

// WriteText writes the text that diagnose would print if it ended now.
func WriteText(w io.Writer, subject Subject, s Result) error {
	subject.Lists = false
	t := newText(w, subject)
	t.open(&s.Summary)
	t.end(s)
	return t.err
}

// Ongoing is the memory of a report about a diagnosis that never ends. It receives the events of
// the engine, and returns the result at any moment.
type Ongoing struct{ base }

// NewOngoing returns an Ongoing without events.
func NewOngoing(s Subject) *Ongoing { return &Ongoing{newBase(s)} }

// Window records which components could be judged.
func (m *Ongoing) Window(w *persistence.Window) { m.Judge(w) }

// List does nothing.
func (*Ongoing) List(*engine.List) {}

// State writes or reads the memory.
func (m *Ongoing) State(c *state.Codec, axes *blame.Axes) { m.incidentArchive.State(c, axes) }

// At returns the result of the diagnosis, from a summary of the engine. Later events do not change
// the result.
func (m *Ongoing) At(s Summary) Result {
	all := m.chosen(&s)
	for i := range all {
		all[i] = all[i].Clone()
	}
	return m.standing(&s, all)
}
