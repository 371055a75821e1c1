// This file keeps what a report has to remember of a diagnosis beside what it
// has written: incidents that are over, and how much could be judged.

package report

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/report/sentence"
)

// incidentArchive keeps incidents that are over, since the engine forgets them some time
// later. One ID is one incident: if it comes back, its spans are joined.
type incidentArchive struct {
	ended   []incident.Incident        // in the order in which they ended
	judged  []bool                     // by component
	reasons map[persistence.Reason]int // why components were not, by windows
}

// newIncidentArchive returns an empty archive for a system of so many components.
func newIncidentArchive(components int) *incidentArchive {
	return &incidentArchive{judged: make([]bool, components), reasons: map[persistence.Reason]int{}}
}

// mostEnded bounds the archive: nobody reads more. The oldest leave.
const mostEnded = 500

// Event keeps an incident that is over. What turned out to be a part of another
// is told there.
func (a *incidentArchive) Event(e *incident.Event) {
	if e.Incident.Phase != incident.Cleared || e.Incident.Ending == incident.Merged {
		return
	}
	in := e.Incident.Clone()
	if at := a.find(in.ID); at >= 0 {
		in = joined(&a.ended[at], in)
		a.ended = slices.Delete(a.ended, at, at+1)
	}
	a.ended = append(a.ended, in)
	a.ended = slices.Delete(a.ended, 0, max(0, len(a.ended)-mostEnded))
}

func (a *incidentArchive) find(id string) int {
	return slices.IndexFunc(a.ended, func(in incident.Incident) bool { return in.ID == id })
}

// All lists incidents that the engine knows and those that it has forgotten,
// section by section.
func (a *incidentArchive) All(known []incident.Incident) []incident.Incident {
	all := slices.Clone(known)
	for i := range all {
		if at := a.find(all[i].ID); at >= 0 {
			all[i] = joined(&a.ended[at], all[i])
		}
	}
	for _, in := range slices.Backward(a.ended) {
		if !slices.ContainsFunc(known, func(o incident.Incident) bool { return o.ID == in.ID }) {
			all = append(all, in)
		}
	}
	slices.SortStableFunc(all, func(a, b incident.Incident) int {
		return cmp.Compare(sentence.SectionOf(&a), sentence.SectionOf(&b))
	})
	return all
}

// joined is an incident together with what it was before.
func joined(old *incident.Incident, in incident.Incident) incident.Incident {
	spans := slices.DeleteFunc(slices.Clone(old.Spans), func(s incident.Span) bool {
		return slices.ContainsFunc(in.Spans, func(o incident.Span) bool { return o.From == s.From })
	})
	in.Spans = append(spans, in.Spans...)
	slices.SortStableFunc(in.Spans, func(a, b incident.Span) int { return cmp.Compare(a.From, b.From) })
	in.Spans = in.Spans[max(0, len(in.Spans)-incident.MaxSpans):]
	if old.Onset.At < in.Onset.At {
		in.Onset, in.Suspected, in.Confirmed = old.Onset, old.Suspected, old.Confirmed
	}
	in.KeepWorst(old.Worst)
	in.Amount, in.Windows = max(in.Amount, old.Amount), max(in.Windows, old.Windows)
	said := slices.DeleteFunc(slices.Clone(old.Comments), func(c incident.Comment) bool { return slices.Contains(in.Comments, c) })
	in.Comments = append(said, in.Comments...)
	return in
}

// Judge notes what a window could judge.
func (a *incidentArchive) Judge(w *persistence.Window) {
	for i := range w.Verdicts {
		if v := &w.Verdicts[i]; v.State == persistence.Unjudged {
			a.reasons[v.Reason]++
		} else {
			a.judged[v.Component] = true
		}
	}
}

// Verdict returns the first line of a report: the number of incidents, or what it means
// that there are none. It reports whether the verdict is that nothing limps. A window can
// be judged once half of it has data, and a suspect takes K windows.
func (a *incidentArchive) Verdict(v *sentence.Writer, o *engine.Options, s *engine.Summary, all []incident.Incident) (text string, nothingLimps bool) {
	text, nothingLimps = a.verdict(v, o, s, all)
	if judged := nothingLimps || len(all)+len(s.Suspects) > 0; judged && o.HasQuestion(engine.Servers) && !o.HasQuestion(engine.Components) {
		text = sentence.OnlyServers + text
	}
	return text, nothingLimps
}

func (a *incidentArchive) verdict(v *sentence.Writer, o *engine.Options, s *engine.Summary, all []incident.Incident) (text string, nothingLimps bool) {
	short := s.To-s.From < o.LeastSeconds() && s.Examined == 0
	if len(all)+len(s.Suspects) > 0 && (!short || !onlyHarmless(all, s.Suspects)) {
		return v.Tally(s.To, all, len(s.Suspects)) + ".", sentence.NothingLimps(all, len(s.Suspects))
	}
	judged, reason := 0, persistence.NoReason
	for _, was := range a.judged {
		if was {
			judged++
		}
	}
	for r, n := range a.reasons {
		if most := a.reasons[reason]; n > most || n == most && r < reason {
			reason = r
		}
	}
	return sentence.Nothing(v, s, o.LeastSeconds(), judged, reason)
}

// onlyHarmless says whether there is nothing to repair. Of data that are too short to
// judge that does not say that nothing limps.
func onlyHarmless(all []incident.Incident, suspects []engine.Suspect) bool {
	return len(suspects) == 0 && !slices.ContainsFunc(all, func(in incident.Incident) bool { return !in.Harmless() })
}

// State writes or reads the archive.
func (a *incidentArchive) State(c *state.Codec, axes *blame.Axes) {
	state.List(c, &a.ended, func(c *state.Codec, in *incident.Incident) { in.State(c, axes) })
	state.By(c, axes.Components, a.judged, (*state.Codec).Bool)
	state.Map(c, &a.reasons, state.Uint[persistence.Reason], state.Int[int])
}
