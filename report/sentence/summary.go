package sentence

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/english"
)

// Section is a heading of a report under which incidents are listed.
type Section int

// The sections, in the order of a report.
const (
	Now Section = iota
	Suspected
	Recovering
	Over
	Harmless
	Muted
	NumSections
)

func (s Section) String() string {
	return [...]string{"Now", "Suspect, not yet certain", "Recovering", "Over", "Harmless", "Muted"}[s]
}

// SectionOf returns the section in which an incident is listed.
func SectionOf(in *incident.Incident) Section {
	if in.Muted {
		return Muted
	}
	return sectionUnmuted(in)
}

// sectionUnmuted returns the section in which an incident would be listed if it were not muted.
func sectionUnmuted(in *incident.Incident) Section {
	switch {
	case in.Harmless():
		return Harmless
	case in.Phase == incident.Cleared:
		return Over
	case in.Phase == incident.Recovering:
		return Recovering
	case in.Phase == incident.Pending:
		return Suspected
	}
	return Now
}

// NothingLimps reports whether no incident goes on and nothing is suspect.
func NothingLimps(incidents []incident.Incident, suspects int) bool {
	for i := range incidents {
		if s := SectionOf(&incidents[i]); s == Now || s == Suspected {
			return false
		}
	}
	return suspects == 0
}

// Tally counts the incidents of each section: "At 2011-05-09 08:00Z: 3 incidents, 1
// suspect, 1 recovering, 1 over".
func (w *Writer) Tally(at int64, incidents []incident.Incident, suspects int) string {
	n, isLimpingMuted := [NumSections]int{Suspected: suspects}, false
	for i := range incidents {
		in := &incidents[i]
		n[SectionOf(in)]++
		isLimpingMuted = isLimpingMuted || in.Muted && sectionUnmuted(in) == Now
	}
	parts := []string{english.Count(n[Now], "incident")}
	if n[Suspected] > 0 {
		parts = append(parts, english.Count(n[Suspected], "suspect"))
	} else if n[Now] == 0 {
		parts[0] = "nothing limps" + map[bool]string{true: " that is not muted"}[isLimpingMuted]
	}
	for s := Recovering; s < NumSections; s++ {
		if n[s] > 0 {
			parts = append(parts, fmt.Sprint(n[s], " ", strings.ToLower(s.String())))
		}
	}
	return fmt.Sprintf("At %s: %s", w.Time(at), strings.Join(parts, ", "))
}

// Becomes states when a suspect becomes an incident.
func (w *Writer) Becomes(s *engine.Suspect) string {
	switch by := w.stampOf(&s.Incident); {
	case s.Until >= s.ByTime && s.ByTime > 0 && s.MayBe == finding.ArrayUpkeep:
		return fmt.Sprintf("A rebuild or a check of its array may be the cause. If the component stays slow, this suspect becomes an incident at %s.", by.at(s.ByTime))
	case s.ByTime > s.Until && s.Amount < 1 && w.ChanceYears(s.Class, s.Nats) > 0:
		return fmt.Sprintf("Chance is ruled out, but for a problem of this size it has not lasted long enough to be an incident. If the problem continues, this suspect becomes an incident at %s.", by.at(s.ByTime))
	case s.ByTime > 0:
		return fmt.Sprintf("If the problem continues, this suspect becomes an incident at %s.", by.at(s.ByTime))
	}
	return "This suspect becomes an incident if the problem continues for long enough."
}

// changes has the words for changes of an incident, if the name of the change is not clear to
// people.
var changes = map[incident.Change]string{
	incident.Opened: "new", incident.Clears: "over", incident.Reopened: "back",
	incident.Mutes: "muted by an operator", incident.Unmutes: "no longer muted",
}

// Event states a change of an incident: its time, its name, and the headline.
func (w *Writer) Event(e *incident.Event) string {
	in := e.Incident
	what, said := cmp.Or(changes[e.Change], string(e.Change)), w.Headline(in)
	if n := len(in.Comments); e.Change == incident.Commented && n > 0 {
		said = fmt.Sprintf("%q on %s", in.Comments[n-1].Text, Placed(in))
	}
	if e.Change == incident.Clears {
		what += ended[in.Ending]
	}
	return fmt.Sprintf("%s %s: %s", w.stampOf(in).at(e.Time), what, said)
}

// Entry compares a component of a list with its peers in its last anomalous window. With
// trained thresholds there is no ratio.
func (w *Writer) Entry(e persistence.Entry, trained bool) string {
	m, last, fades := w.Schema.Metrics[e.Metric], &e.Last, map[bool]string{true: " (in its last window, the component was not suspect)"}[e.Fades]
	own, peers := english.Quantity(last.Median, m.Unit), english.Quantity(last.Peers, m.Unit)
	switch {
	case last.Reason != persistence.Differs:
		return Reason(last.Reason) + fades
	case trained:
		return fmt.Sprintf("%s: %s, distance from its peers: %s (threshold %s)%s", m.Name, own, english.Digits(last.Score), english.Digits(last.Threshold), fades)
	case last.Peers == 0:
		return fmt.Sprintf("%s: %s, while its peers are idle%s", m.Name, own, fades)
	}
	return fmt.Sprintf("%s: %s, its peers: %s (%s their value)%s", m.Name, own, peers, english.Times(last.Median/last.Peers), fades)
}
