package archive

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/detect"
	"github.com/limpet-storage/limpet/engine/diagnose"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/place"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/report/words"
	"github.com/limpet-storage/limpet/report/words/remark"
)

// Archive keeps incidents that are over, since the engine forgets them some time
// later. One ID is one incident: if it comes back, its spans are joined.
type Archive struct {
	ended   []incident.Incident   // in the order in which they ended
	judged  []bool                // by component
	reasons map[detect.Reason]int // why components were not, by windows
}

// New returns an empty archive for a system of so many components.
func New(components int) *Archive {
	return &Archive{judged: make([]bool, components), reasons: map[detect.Reason]int{}}
}

// mostEnded bounds the archive: nobody reads more. The oldest leave.
const mostEnded = 500

// Event keeps an incident that is over. What turned out to be a part of another
// is told there.
func (a *Archive) Event(e *incident.Event) {
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

func (a *Archive) find(id string) int {
	return slices.IndexFunc(a.ended, func(in incident.Incident) bool { return in.ID == id })
}

// All lists incidents that the engine knows and those that it has forgotten,
// section by section.
func (a *Archive) All(known []incident.Incident) []incident.Incident {
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
		return cmp.Compare(words.SectionOf(&a), words.SectionOf(&b))
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
	in.Worst, in.Amount, in.Windows = max(in.Worst, old.Worst), max(in.Amount, old.Amount), max(in.Windows, old.Windows)
	said := slices.DeleteFunc(slices.Clone(old.Comments), func(c incident.Comment) bool { return slices.Contains(in.Comments, c) })
	in.Comments = append(said, in.Comments...)
	return in
}

// Judge notes what a window could judge.
func (a *Archive) Judge(w *detect.Window) {
	for i := range w.Verdicts {
		if v := &w.Verdicts[i]; v.State == detect.Unjudged {
			a.reasons[v.Reason]++
		} else {
			a.judged[v.Component] = true
		}
	}
}

// Verdict is the first line of a report: how many incidents there are, or what it
// means that there are none. A window can be judged once half of it has data, and
// a suspect takes K windows.
func (a *Archive) Verdict(v *words.Voice, o *diagnose.Options, s *diagnose.Summary, all []incident.Incident) string {
	short := s.To-s.From < o.LeastSeconds() && s.Examined == 0
	if len(all)+len(s.Suspects) > 0 && (!short || !onlyHarmless(all, s.Suspects)) {
		return v.Tally(s.To, all, len(s.Suspects)) + "."
	}
	judged, reason := 0, detect.NoReason
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
	return remark.Nothing(v, s, o.LeastSeconds(), judged, reason)
}

// onlyHarmless says whether there is nothing to repair. Of data that are too short to
// judge that does not say that nothing limps.
func onlyHarmless(all []incident.Incident, suspects []diagnose.Suspect) bool {
	return len(suspects) == 0 && !slices.ContainsFunc(all, func(in incident.Incident) bool { return !in.Harmless() })
}

// State writes or reads the archive.
func (a *Archive) State(c *state.Codec, axes *place.Axes) {
	state.List(c, &a.ended, func(c *state.Codec, in *incident.Incident) { in.State(c, axes) })
	state.By(c, axes.Components, a.judged, (*state.Codec).Bool)
	state.Map(c, &a.reasons, state.Uint[detect.Reason], state.Int[int])
}
