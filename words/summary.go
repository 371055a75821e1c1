package words

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/english"
	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/rank"
	"github.com/limpet-storage/limpet/topology"
)

// Section is what incidents are listed under, in the order of a report.
type Section int

// The sections of a report.
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

// SectionOf is where an incident is listed.
func SectionOf(in *incident.Incident) Section {
	switch {
	case in.Muted:
		return Muted
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

// Tally is the first line of a verdict: "At 2011-05-09 08:00Z: 3 incidents, 1
// suspect, 1 recovering, 1 over".
func (v *Voice) Tally(at int64, incidents []incident.Incident, suspects int) string {
	n := [NumSections]int{Suspected: suspects}
	for i := range incidents {
		n[SectionOf(&incidents[i])]++
	}
	parts := []string{english.Count(n[Now], "incident")}
	if n[Suspected] > 0 {
		parts = append(parts, english.Count(n[Suspected], "suspect"))
	} else if n[Now] == 0 {
		parts[0] = "nothing limps"
	}
	for s := Recovering; s < NumSections; s++ {
		if n[s] > 0 {
			parts = append(parts, fmt.Sprint(n[s], " ", strings.ToLower(s.String())))
		}
	}
	return fmt.Sprintf("At %s: %s", v.Time(at), strings.Join(parts, ", "))
}

// Becomes says when a suspect becomes an incident.
func (v *Voice) Becomes(s *diagnose.Suspect) string {
	switch by := v.stampOf(&s.Incident); {
	case s.Until >= s.ByTime && s.ByTime > 0 && s.Kind == finding.SingleLUN:
		return fmt.Sprintf("A rebuild or a check would make it as slow. If it lasts, it becomes an incident at %s.", by.at(s.ByTime))
	case s.ByTime > 0:
		return fmt.Sprintf("If it goes on, it becomes an incident at %s.", by.at(s.ByTime))
	}
	return "It becomes an incident if it goes on for long enough."
}

// changes say what has become of an incident, where its name does not.
var changes = map[incident.Change]string{
	incident.Opened: "new", incident.Clears: "over", incident.Reopened: "back",
	incident.Mutes: "muted by an operator", incident.Unmutes: "no longer muted",
}

// Event says what has become of an incident.
func (v *Voice) Event(e *incident.Event) string {
	in := e.Incident
	what, said := cmp.Or(changes[e.Change], string(e.Change)), v.Headline(in)
	if n := len(in.Comments); e.Change == incident.Commented && n > 0 {
		said = fmt.Sprintf("%q on %s %s", in.Comments[n-1].Text, in.Place.Tier, in.Place.Name)
	}
	if e.Change == incident.Clears {
		what += ended[in.Ending]
	}
	return fmt.Sprintf("%s %s: %s", v.stampOf(in).at(e.Time), what, said)
}

// Entry says what the last odd window showed of an entry of a list. Trained
// thresholds have no ratio to tell.
func (v *Voice) Entry(e rank.Entry, trained bool) string {
	m, last, fades := v.Schema.Metrics[e.Metric], &e.Last, map[bool]string{true: " (fading)"}[e.Fades]
	own, peers := english.Quantity(last.Median, m.Unit), english.Quantity(last.Peers, m.Unit)
	switch {
	case last.Reason != detect.Differs:
		return Reason(last.Reason) + fades
	case trained:
		return fmt.Sprintf("%s %s, %s apart from its peers, threshold %s%s", m.Name, own, english.Digits(last.Score), english.Digits(last.Threshold), fades)
	case last.Peers == 0:
		return fmt.Sprintf("%s %s while its peers are idle%s", m.Name, own, fades)
	}
	return fmt.Sprintf("%s %s, its peers %s: %s%s", m.Name, own, peers, english.Times(last.Median/last.Peers), fades)
}

// Remarks say what a diagnosis is weaker for: silent and idle servers, what the
// data lacked, and clocks that are wrong.
func (v *Voice) Remarks(s *diagnose.Summary) []string {
	lines := slices.Concat(v.Silences(s.Silent), v.Idle(s.Idle), Lacks(s.Lacks), Skews(s.Skews))
	for _, what := range s.Unlike {
		lines = append(lines, fmt.Sprintf("Half of the servers show %s, so nobody is blamed for it. A topology can say who is whose peer.", Symptom(what)))
	}
	return lines
}

// Silences says of which servers there are no data, those of one time together.
func (v *Voice) Silences(list []diagnose.Silence) []string {
	var lines []string
	names := map[int64][]string{}
	for _, q := range list {
		names[q.Since] = append(names[q.Since], q.Server)
	}
	for _, since := range slices.Sorted(maps.Keys(names)) {
		text := "There are no data of " + topology.Fold(names[since])
		if since != 0 {
			text += " after " + v.Time(since)
		}
		lines = append(lines, text+".")
	}
	return lines
}

// Idle says which servers had nothing to do while others had. More than four get
// a line together.
func (v *Voice) Idle(list []diagnose.Idleness) []string {
	var lines, names []string
	for _, i := range list {
		names = append(names, i.Server)
		how := "from " + v.Span(i.From, i.To)
		if i.Times > 1 {
			how = fmt.Sprintf("%d times between %s and %s, %s in all,", i.Times, v.second().at(i.From), v.second().later(i.From, i.To), english.Seconds(i.Seconds))
		}
		lines = append(lines, fmt.Sprintf("%s had nothing to do %s while others had: it was not judged then.", i.Server, how))
	}
	if len(names) > 4 {
		return []string{fmt.Sprintf("%d servers had nothing to do for a while, and were not judged then: %s.", len(names), topology.Fold(names))}
	}
	return lines
}

// unseen is what cannot be seen without a resource.
var unseen = map[diagnose.Resource]string{
	diagnose.Disks:          "No disks in these files: faults of disks",
	diagnose.Interfaces:     "No interfaces in these files: network faults",
	diagnose.ConnectionsIn:  "No connections of clients to servers in these files: packet loss on the way to servers",
	diagnose.ConnectionsOut: "No connections of servers to clients in these files: packet loss on the way from servers",
	diagnose.Peers:          "Fewer than three can be compared: ",
	diagnose.Fineness:       "The records are too far apart, seconds are needed: ",
}

// Lacks says what the data lacked, and what cannot be seen for that; each once.
func Lacks(list []diagnose.Lack) []string {
	var lines []string
	for _, l := range list {
		if l.Whole && l.Resource == diagnose.Interfaces {
			lines = append(lines, notAsked)
			continue
		}
		text, faults, _ := strings.Cut(unseen[l.Resource], ": ")
		if l.Whole || faults == "" {
			faults = map[diagnose.Question]string{diagnose.Components: "slow components", diagnose.Servers: "faults of a server's disk or network"}[l.Question]
		}
		if text += fmt.Sprintf(": %s cannot be seen.", faults); !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	return lines
}

// notAsked says what the question of servers takes.
const notAsked = "Not asked: which server's resource (its disk or its network) is at fault. That takes files with the interfaces of three servers, sampled every few seconds."

// Skews says whose clocks are wrong.
func Skews(list []diagnose.Skew) []string {
	var lines []string
	for _, s := range list {
		text := "The clocks of half of the servers are seconds apart from the others', and nobody knows which are right: synchronise them."
		if way := map[bool]string{true: "ahead of", false: "behind"}[s.Seconds > 0]; s.Server != "" {
			text = fmt.Sprintf("The clock of %s is about %d s %s the others': synchronise it. Times that are told to the second may be off by as much.", s.Server, max(s.Seconds, -s.Seconds), way)
		}
		lines = append(lines, text)
	}
	return lines
}

// Nothing says what it means that there is no incident: that nothing limps, or
// that nothing could be judged, what was there for that, and from when on a
// verdict is possible. It takes how many seconds of data a verdict takes, how many
// components were judged in any window, and why most of the others were not.
func (v *Voice) Nothing(s *diagnose.Summary, needed int64, judged int, reason detect.Reason) string {
	all := len(v.System.Components)
	why := v.unheard(s, all-judged, cmp.Or(Reason(reason), "a verdict takes data of at least three peers"))
	var text string
	switch {
	case s.To == s.From:
		return v.noData(s, needed)
	case !slices.ContainsFunc(v.System.Groups, func(g topology.PeerGroup) bool { return len(g.Members) >= topology.MinPeers }):
		text = "Nothing could be judged: a verdict takes at least three peers, and nothing here has two others like it."
	case s.To-s.From < needed && s.Examined == 0:
		text = fmt.Sprintf("Too short to judge: the data span %s (%s). A verdict takes %s and is possible from %s on.",
			english.Seconds(s.To-s.From), v.Span(s.From, s.To), english.Seconds(needed), v.Time(s.From+needed+59))
	case judged+s.Examined == 0:
		text = fmt.Sprintf("Nothing could be judged: %s.", why)
	case judged == 0:
		text = fmt.Sprintf("Nothing limps: none of %s stayed apart from its peers.", english.Count(s.Heard, "server"))
	case 4*judged < all && s.Examined == 0:
		text = fmt.Sprintf("Only %d of %d components could be judged, and none of them limps. Most of the others: %s.", judged, all, why)
	default:
		text = fmt.Sprintf("Nothing limps: %d of %d components were judged, and none stayed apart from its peers for long enough.", judged, all)
	}
	if n := len(v.System.Servers); s.Heard > 0 && s.Heard < n {
		text += fmt.Sprintf(" There are data of %d of %s.", s.Heard, english.Count(n, "server"))
	}
	return text
}

// noData says whose data are missing, and what a verdict takes.
func (v *Voice) noData(s *diagnose.Summary, needed int64) string {
	whose := ""
	if n := len(v.System.Servers); n > 0 && len(s.Silent) == n {
		whose = fmt.Sprintf(" of %s, which %s all that are compared", topology.Fold(v.System.Servers), english.Verb(n, "is", "are"))
	}
	return fmt.Sprintf("Nothing could be judged: there are no data%s. A verdict takes %s of data of at least three peers.", whose, english.Seconds(needed))
}

// unheard is why most components were not judged: that nobody heard of their servers,
// where that explains half of them, else the usual reason.
func (v *Voice) unheard(s *diagnose.Summary, unjudged int, usual string) string {
	var servers []string
	for _, q := range s.Silent {
		if q.Since == 0 {
			servers = append(servers, q.Server)
		}
	}
	n := 0
	for i := range v.System.Components {
		if slices.Contains(servers, v.System.Components[i].Server) {
			n++
		}
	}
	if n == 0 || 2*n < unjudged {
		return usual
	}
	return fmt.Sprintf("there are no data of %s, which %s %s", topology.Fold(servers), english.Verb(len(servers), "has", "have"), english.Count(n, "component"))
}
