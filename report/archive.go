// This file remembers the parts of a diagnosis that a report needs at its end: incidents that are
// over, and the components that could be judged.

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

// incidentArchive keeps incidents that are over, because the engine forgets them some time later.
// If an incident comes back under the same ID, its spans are joined.
type incidentArchive struct {
	ended   []incident.Incident        // incidents in the order in which they ended
	judged  []bool                     // by component: it was judged in some window
	reasons map[persistence.Reason]int // number of verdicts without a judgement, by reason
}

// newIncidentArchive returns an empty archive for a system with the given number of components.
func newIncidentArchive(components int) *incidentArchive {
	return &incidentArchive{judged: make([]bool, components), reasons: map[persistence.Reason]int{}}
}

// mostEnded is the largest number of incidents in the archive. Above it, the oldest are dropped.
const mostEnded = 500

// Event keeps an incident that is over. An incident that was merged into another one is not kept:
// it is shown with the other one.
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

// All lists the incidents that the engine knows and those that it has forgotten, section by
// section.
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

// joined merges an incident that came back with its earlier record.
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

// Judge records which components a window could judge, and why it could not judge the others.
func (a *incidentArchive) Judge(w *persistence.Window) {
	for i := range w.Verdicts {
		if v := &w.Verdicts[i]; v.State == persistence.Unjudged {
			a.reasons[v.Reason]++
		} else {
			a.judged[v.Component] = true
		}
	}
}

// Verdict returns the first line of a report. With incidents, the line has their number. Without
// incidents, it states that nothing limps, or why limpet cannot know this. nothingLimps reports
// whether enough could be judged and no incident goes on. doubts are the warnings because of which
// the verdict may be wrong: if nothing could be judged, the first of them is the reason.
func (a *incidentArchive) Verdict(v *sentence.Writer, o *engine.Options, s *engine.Summary, all []incident.Incident, doubts []string) (text string, nothingLimps bool) {
	text, nothingLimps = a.verdict(v, o, s, all, doubts)
	if judged := nothingLimps || len(all)+len(s.Suspects) > 0; judged && onlyServers(o) {
		text = sentence.OnlyServers + text
	}
	return text, nothingLimps
}

func (a *incidentArchive) verdict(v *sentence.Writer, o *engine.Options, s *engine.Summary, all []incident.Incident, doubts []string) (text string, nothingLimps bool) {
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
	if judged+s.Examined == 0 && s.To > s.From && !short && len(doubts) > 0 && !onlyServers(o) {
		return sentence.NothingBecause(doubts[0]), false
	}
	return sentence.Nothing(v, s, o.LeastSeconds(), judged, reason)
}

// onlyServers reports whether a diagnosis judges no drives, LUNs and paths.
func onlyServers(o *engine.Options) bool {
	return o.HasQuestion(engine.Servers) && !o.HasQuestion(engine.Components)
}

// onlyHarmless reports whether there is nothing to repair: no suspects, and only harmless
// incidents. If the data are too short for a judgement, this does not mean that nothing limps.
func onlyHarmless(all []incident.Incident, suspects []engine.Suspect) bool {
	return len(suspects) == 0 && !slices.ContainsFunc(all, func(in incident.Incident) bool { return !in.Harmless() })
}

// State writes or reads the archive.
func (a *incidentArchive) State(c *state.Codec, axes *blame.Axes) {
	state.List(c, &a.ended, func(c *state.Codec, in *incident.Incident) { in.State(c, axes) })
	state.By(c, axes.Components, a.judged, (*state.Codec).Bool)
	state.Map(c, &a.reasons, state.Uint[persistence.Reason], state.Int[int])
}
