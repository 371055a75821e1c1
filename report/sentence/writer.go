package sentence

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/report/witness"
	"github.com/limpet-storage/limpet/topology"
)

// Writer speaks of one system.
type Writer struct {
	System *topology.System
	Schema table.Schema
	Lead   metric.Metric  // that tells how slow a component is
	Zone   *time.Location // of times; nil is UTC
	// Open are all incidents that are not over, so that advice can count what is slow
	// or out already; without it nothing is advised to be taken out.
	Open func() *advice.Open
	// Outlook is what slow drives of this fleet did, of SSDs or of disks; without it
	// advice goes by what T16 found.
	Outlook func(ssd bool) *advice.Prognosis
	// Witnesses are what drives and kernels say of themselves; nil without them.
	Witnesses *witness.Record

	attachments int // of the system; 0: not counted
}

// New returns a voice. Metrics are those that components are judged by.
func New(system *topology.System, schema table.Schema, metrics []string) *Writer {
	return &Writer{System: system, Schema: schema, Lead: schema.Metrics[schema.Leading(metrics)], attachments: attachments(system)}
}

// measure prints a value of the leading metric.
func (v *Writer) measure(x float64) string { return english.Quantity(x, v.Lead.Unit) }

func (v *Writer) of(component int) *topology.Component { return &v.System.Components[component] }

// Title names an incident: where, what, when.
func (v *Writer) Title(in *incident.Incident) string {
	return fmt.Sprintf("%s %s: %s, %s", in.Place.Tier, in.Place.Name, in.Kind, v.When(in))
}

// When says from when to when an incident was, and how well that is known.
func (v *Writer) When(in *incident.Incident) string {
	s := v.stampOf(in)
	text := since(in.Onset, s)
	if in.Phase == incident.Cleared {
		text = "from" + strings.TrimPrefix(text, "since") + " to " + s.at(in.Cleared)
	}
	if n := len(in.Spans); n > 1 {
		text += fmt.Sprintf(", %d times", n)
	}
	switch {
	case in.Phase == incident.Cleared:
		text += ended[in.Ending]
	case in.Phase == incident.Recovering:
		text += ", recovering since " + s.later(in.Onset.At, in.Last)
	case in.Unjudged > 0:
		text += ", not judged after " + s.later(in.Onset.At, in.Unjudged)
	}
	return text
}

// Again says that an incident was there before under the same ID, and when last; empty
// where it was not.
func (v *Writer) Again(in *incident.Incident) string {
	n := len(in.Spans) - 1
	if n < 1 {
		return ""
	}
	s, last := v.stampOf(in), in.Spans[n-1]
	when := fmt.Sprintf("from %s to %s", s.at(last.From), s.later(last.From, last.To))
	if n == 1 {
		return fmt.Sprintf("Again; before: %s.", when)
	}
	return fmt.Sprintf("Again; before: %d times, last %s.", n, when)
}

// ended says why an incident is over, where it did not recover by itself.
var ended = map[incident.Ending]string{
	incident.Resolved: ", resolved by an operator",
	incident.Removed:  ", no longer in the topology",
	incident.Replaced: ", replaced by another",
	incident.Merged:   ", a part of another incident",
}

const (
	minute = 60
	// vagueSeconds is how far off an onset may be to be told as a time.
	vagueSeconds = 1800
	// mostNameBytes is how long a list of names may be within a sentence.
	mostNameBytes = 40
)

// since says when something began: at a time, within so many minutes, or between
// two times that are far apart.
func since(o finding.Onset, s stamp) string {
	off := max(o.At-o.Early, o.Late-o.At)
	switch {
	case o.Earlier:
		return "since before the data begin"
	case o.Unknown:
		return fmt.Sprintf("since an unknown time between %s and %s", s.at(o.Early), s.later(o.Early, o.Late))
	case s.clock == toSecond && off > 0:
		return fmt.Sprintf("since %s (between %s and %s)", s.at(o.At), s.later(o.At, o.Early), s.later(o.At, o.Late))
	case off > vagueSeconds:
		return fmt.Sprintf("since some time between %s and %s", s.at(o.Early), s.later(o.Early, o.Late))
	case off >= minute:
		return fmt.Sprintf("since %s ± %d min", s.at(o.At), (off+minute-1)/minute)
	}
	return "since " + s.at(o.At)
}

func (v *Writer) stampOf(in *incident.Incident) stamp {
	if in.Class.OfServer() {
		return v.second()
	}
	return v.minute()
}

// goesOn says whether an incident is told in the present tense.
func goesOn(in *incident.Incident) bool {
	return in.Phase == incident.Active || in.Phase == incident.Pending
}

// tense chooses between what is and what was.
func tense(in *incident.Incident, is, was string) string {
	if goesOn(in) {
		return is
	}
	return was
}

// be is the verb for so many.
func be(in *incident.Incident, n int) string {
	return tense(in, english.Verb(n, "is", "are"), english.Verb(n, "was", "were"))
}

// named is a place as a sentence names it. Names of servers, controllers and
// arrays speak for themselves.
func named(p blame.Place) string {
	switch p.Tier {
	case blame.LUN, blame.Drawer, blame.Enclosure, blame.Expander:
		return fmt.Sprintf("%s %s", p.Tier, p.Name)
	case blame.Age:
		return "the year " + p.Name
	}
	if p.Tier.Across() {
		return fmt.Sprintf("%s %s", p.Tier, p.Name)
	}
	return p.Name
}

// playing lists the members in a role. Of an incident that goes on those are left
// out on which it no longer shows, unless they are slow: that comes and goes.
func playing(in *incident.Incident, role finding.Role) []int {
	var list []int
	for i := range in.Members {
		if m := &in.Members[i]; m.Role == role && (m.Odd || role == finding.IsSlow || !goesOn(in)) {
			list = append(list, m.Component)
		}
	}
	slices.Sort(list)
	return list
}

// serversOf lists the servers of components in the order of their names.
func (v *Writer) serversOf(components []int) (list []string) {
	for _, c := range components {
		list = append(list, v.of(c).Server)
	}
	slices.SortFunc(list, topology.Compare)
	return slices.Compact(list)
}

// names prints components.
func (v *Writer) names(components []int) string {
	var list []string
	for _, c := range components {
		list = append(list, v.of(c).Name)
	}
	return fold(list)
}

// fold writes names as people do: "fs5 and fs6", "fs[9-128]". What is too long for
// a sentence becomes "2.0.5 and 31 more".
func fold(list []string) string {
	text := topology.Fold(list)
	switch {
	case len(list) == 2:
		return list[0] + " and " + list[1]
	case len(text) > mostNameBytes && len(list) > 1:
		return fmt.Sprintf("%s and %d more", list[0], len(list)-1)
	}
	return text
}

// unit is what the members of an incident are.
func (v *Writer) unit(in *incident.Incident) string {
	switch {
	case len(in.Members) > 0 && v.of(in.Members[0].Component).LUN == "":
		return "drive"
	case in.Class == finding.Path:
		return "attachment"
	}
	return "LUN"
}
