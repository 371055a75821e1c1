package incident

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Parts returns one incident for each detector that found the problem, as if no other detector had
// found it. The first part is the incident itself, without the field Also.
func (in *Incident) Parts() []*Incident {
	own := *in
	own.Also = nil
	parts := []*Incident{&own}
	for _, a := range in.Also {
		part := &Incident{
			Class: a.Class, Kind: a.Kind, Place: a.Place, Phase: in.Phase, Onset: a.Onset, Spell: a.Onset, Last: in.Last,
			Spans: in.Spans, Members: a.Members, Evidence: a.Evidence, Judged: len(a.Members),
		}
		for i := range a.Members {
			part.Worst = max(part.Worst, a.Members[i].Worst)
		}
		parts = append(parts, part)
	}
	return parts
}

// HasTimeRatio reports whether the severity of an incident is a ratio of times. Such a ratio is how
// many times slower a component is than its peers, or than before.
func (in *Incident) HasTimeRatio() bool {
	return in.Class == finding.Slow || in.Class == finding.Past || in.Class == finding.Stall
}

// Effect returns the number that all reports show for an incident. This number is how many times
// slower the slow components have been since the onset, compared with their peers or with the time
// before. If the incident has one slow component, the number is the effect of that component, with
// its 95 % interval. If the incident has several slow components, the number is the median of their
// effects, and the interval reaches from the smallest to the largest effect. A stall is a single
// event and has no mean, so its number is the worst ratio. If HasTimeRatio is false, Effect returns
// zeros.
func (in *Incident) Effect() finding.Effect {
	if !in.HasTimeRatio() {
		return finding.Effect{}
	}
	effects := in.effects()
	switch len(effects) {
	case 0:
		return finding.Effect{Times: in.Worst}
	case 1:
		return effects[0]
	}
	times := make([]float64, len(effects))
	for i := range effects {
		times[i] = effects[i].Times
	}
	slices.Sort(times)
	return finding.Effect{Times: quantile.Median(times), Low: times[0], High: times[len(times)-1]}
}

// effects returns the known effects of the slow components.
func (in *Incident) effects() (list []finding.Effect) {
	for i := range in.Members {
		if m := &in.Members[i]; m.Role != finding.TookOver && m.Effect.Times > 0 {
			list = append(list, m.Effect)
		}
	}
	return list
}

// HasSeveralEffects reports whether Effect is the median of several components, so that its interval
// reaches from the smallest effect to the largest.
func (in *Incident) HasSeveralEffects() bool { return in.HasTimeRatio() && len(in.effects()) > 1 }

// WorstEffect returns the effect of the worst member since the onset. If there are several members,
// it is the upper end of the interval of Effect. It is 0 if HasTimeRatio is false.
func (in *Incident) WorstEffect() float64 {
	if !in.HasTimeRatio() {
		return 0
	}
	most := 0.0
	for i := range in.Members {
		if m := &in.Members[i]; m.Role != finding.TookOver {
			most = max(most, m.Effect.Times)
		}
	}
	return cmp.Or(most, in.Worst)
}

// SinceOf returns the Unix time at which a member began to have the problem. If this time lies
// between Early and Late of PresentOnset, it cannot be distinguished from the onset of the
// incident. SinceOf then returns the onset of the incident.
func (in *Incident) SinceOf(m *finding.Member) int64 {
	if o := in.PresentOnset(); o.Early <= m.Since && m.Since <= o.Late {
		return o.At
	}
	return m.Since
}

// PresentOnset returns the onset of the present period of the incident, or of its last period. Reports
// show only this onset. This onset is the field Spell if the incident has come back, and the field
// Onset otherwise.
func (in *Incident) PresentOnset() finding.Onset {
	if len(in.Spans) > 1 {
		return cmp.Or(in.Spell, in.Onset)
	}
	return in.Onset
}

// LatestSince returns the Unix time since which at least one member has differed from its peers
// without a long break. It is the earliest Since of the members that are anomalous now. The
// detectors end the episode of a component sooner than the tracker ends an incident. So LatestSince
// may be later than PresentOnset. LatestSince is 0 if no member is anomalous.
func (in *Incident) LatestSince() int64 {
	first := int64(0)
	for i := range in.Members {
		if m := &in.Members[i]; m.Odd && m.Role != finding.TookOver && (first == 0 || m.Since < first) {
			first = m.Since
		}
	}
	return first
}

// KeepWorst raises Worst to `old`, the worst ratio that the incident, or a part of it, had before.
// It does nothing if the detector itself keeps the peak of each member (keepsPeaks). Worst is then
// the greatest peak of the present members since the onset.
func (in *Incident) KeepWorst(old float64) {
	if !in.keepsPeaks() {
		in.Worst = max(in.Worst, old)
	}
}

// keepsPeaks reports whether the detector of the incident keeps the peak of each member
// (Member.Worst) since the onset.
func (in *Incident) keepsPeaks() bool { return in.Class == finding.Slow || in.Class == finding.Past }

// Clone returns a deep copy of an incident.
func (in *Incident) Clone() Incident {
	out := *in
	out.Spans, out.Metrics, out.Comments = slices.Clone(in.Spans), slices.Clone(in.Metrics), slices.Clone(in.Comments)
	out.Members, out.Evidence = slices.Clone(in.Members), slices.Clone(in.Evidence)
	out.RuledOut, out.Also, out.Alike, out.Joined = slices.Clone(in.RuledOut), slices.Clone(in.Also), slices.Clone(in.Alike), slices.Clone(in.Joined)
	for i := range out.RuledOut {
		if r := &out.RuledOut[i]; r.Evidence != nil {
			evidence := *r.Evidence
			r.Evidence = &evidence
		}
	}
	for i := range out.Also {
		a := &out.Also[i]
		a.Members, a.Evidence = slices.Clone(a.Members), slices.Clone(a.Evidence)
	}
	return out
}

// IsWithin reports whether every component number of the incident is valid in a system with
// `components` components.
func (in *Incident) IsWithin(components int) bool {
	within := func(members []finding.Member, evidence []finding.Evidence) bool {
		return !slices.ContainsFunc(members, func(m finding.Member) bool { return m.Component < 0 || m.Component >= components }) &&
			!slices.ContainsFunc(evidence, func(e finding.Evidence) bool { return e.Component < 0 || e.Component >= components })
	}
	for i := range in.RuledOut {
		if e := in.RuledOut[i].Evidence; e != nil && !within(nil, []finding.Evidence{*e}) {
			return false
		}
	}
	for i := range in.Also {
		if !within(in.Also[i].Members, in.Also[i].Evidence) {
			return false
		}
	}
	return within(in.Members, in.Evidence)
}

// Renumber replaces every component number c by at[c], the number of the same component
// in another system.
func (in *Incident) Renumber(at []int) {
	renumber(in.Members, in.Evidence, at)
	for i := range in.RuledOut {
		if e := in.RuledOut[i].Evidence; e != nil {
			e.Component = at[e.Component]
		}
	}
	for i := range in.Also {
		renumber(in.Also[i].Members, in.Also[i].Evidence, at)
	}
}

func renumber(members []finding.Member, evidence []finding.Evidence, at []int) {
	for i := range members {
		members[i].Component = at[members[i].Component]
	}
	for i := range evidence {
		evidence[i].Component = at[evidence[i].Component]
	}
}
