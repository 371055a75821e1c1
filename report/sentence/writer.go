package sentence

import (
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/servicecause"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/report/witness"
	"github.com/limpet-storage/limpet/topology"
)

// Writer makes the sentences about the incidents of one system.
type Writer struct {
	System *topology.System
	Schema table.Schema
	Lead   metric.Metric  // metric that shows how slow a component is
	Zone   *time.Location // time zone of printed times; nil: UTC
	// ImbalanceTimes is the ratio of the load to the load of the peers from which on the load may
	// be the reason for slowness: the option of this name of the slow detector.
	ImbalanceTimes float64
	// Open returns the components of all incidents that are not over. Advice counts the parts that
	// are already slow or out. Without Open, no step takes a part out.
	Open func() *advice.Open
	// Actions returns the plan of actions for all incidents; nil: there are no sentences about
	// actions.
	Actions func() *action.Plan
	// Outlook returns how often slow SSDs or disks of this fleet recovered by themselves; nil: the
	// results of T16 are used.
	Outlook func(ssd bool) *advice.Prognosis
	// Witnesses are the errors that drives and kernels logged; nil: none were read.
	Witnesses *witness.Record
	// Hosts are the measurements of the hosts of services; nil: the hosts were not diagnosed.
	Hosts *servicecause.Hosts

	// Unusable has, by server, the reason why limpet cannot use data of the server: all data, or all
	// data from some time on.
	Unusable map[string]string

	attachments int // number of attachments of the system; 0: not counted
}

// New returns the writer for one system. schema is the schema of its rows, and o are the options of
// the diagnosis.
func New(system *topology.System, schema table.Schema, o *engine.Options) *Writer {
	return &Writer{
		System: system, Schema: schema, Lead: schema.Metrics[schema.Leading(o.Metrics)], ImbalanceTimes: o.Criteria.ClearTimes,
		attachments: attachments(system),
	}
}

// measure prints a value of the leading metric with its unit.
func (w *Writer) measure(x float64) string { return english.Quantity(x, w.Lead.Unit) }

func (w *Writer) of(component int) *topology.Component { return &w.System.Components[component] }

// Title names an incident: its place, its kind, and its time.
func (w *Writer) Title(in *incident.Incident) string {
	return fmt.Sprintf("%s: %s, %s", Placed(in), KindOf(in), w.When(in))
}

// When prints the begin and the end of an incident, and how exactly they are known. If the incident
// came back, these are the times of its last period, with the number of periods and the begin of the
// first. Within a period the problem may have been absent for a time that was too short to end the
// incident. If the incident has one component, When then also prints since when the problem is present
// again, because the ratio of the incident belongs to the time since then.
func (w *Writer) When(in *incident.Incident) string {
	s, o := w.stampOf(in), in.PresentOnset()
	text := "since " + start(o, s)
	if in.Phase == incident.Cleared {
		text = "from " + start(o, s) + " to " + s.at(in.Cleared)
	}
	if again := in.LatestSince(); goesOn(in) && hasEpisodes(in.Class) && len(in.Members) == 1 && again-o.Late >= minute {
		text += ", again since " + s.at(again)
	}
	if n := len(in.Spans); n > 1 {
		first := "on " + s.at(in.Onset.At)
		if in.Onset.Earlier {
			first = "before the start of the data"
		}
		text += fmt.Sprintf(", happened %d times, first %s", n, first)
	}
	switch {
	case in.Phase == incident.Cleared:
		text += ended[in.Ending]
	case in.Phase == incident.Recovering:
		text += ", recovering since " + s.later(o.At, in.Last)
	case in.Unjudged > 0:
		text += ", not judged after " + s.later(o.At, in.Unjudged)
	}
	return text
}

// hasEpisodes reports whether a member of this class is present since the begin of an episode. For the
// other classes, Member.Since is the begin of the evidence: of the last window with stalled requests, or
// of the strongest window of a server. There may be no pause before it.
func hasEpisodes(c finding.Class) bool {
	switch c {
	case finding.Slow, finding.Path, finding.Past, finding.Tail, finding.Load:
		return true
	}
	return false
}

// Again states when an incident happened before under the same ID. The title has the number of times.
// It is empty if the incident did not happen before.
func (w *Writer) Again(in *incident.Incident) string {
	n := len(in.Spans) - 1
	if n < 1 {
		return ""
	}
	s, last := w.stampOf(in), in.Spans[n-1]
	when := fmt.Sprintf("from %s to %s", s.at(last.From), s.later(last.From, last.To))
	if n == 1 {
		return fmt.Sprintf("The problem happened before: %s.", when)
	}
	return fmt.Sprintf("The problem happened before, the last time %s.", when)
}

// ended has the reasons why an incident is over, if it did not recover by itself.
var ended = map[incident.Ending]string{
	incident.Resolved: ", resolved by an operator",
	incident.Removed:  ", no longer in the topology",
	incident.Replaced: ", replaced by another incident",
	incident.Merged:   ", now part of another incident",
}

const (
	minute = 60
	// vagueSeconds is the largest error with which an onset is printed as one time. Above it, two
	// times are printed.
	vagueSeconds = 1800
	// mostNameBytes is the largest length of a list of names in a sentence.
	mostNameBytes = 40
)

// start prints the time at which something began: one time, one time with its error in minutes, or
// two times if the error is large.
func start(o finding.Onset, s stamp) string {
	off := max(o.At-o.Early, o.Late-o.At)
	switch {
	case o.Earlier:
		return "before the start of the data"
	case o.Unknown:
		return fmt.Sprintf("some time between %s and %s", s.at(o.Early), s.later(o.Early, o.Late))
	case s.clock == toSecond && off > 0:
		return fmt.Sprintf("%s (between %s and %s)", s.at(o.At), s.later(o.At, o.Early), s.later(o.At, o.Late))
	case off > vagueSeconds:
		return fmt.Sprintf("some time between %s and %s", s.at(o.Early), s.later(o.Early, o.Late))
	case off >= minute:
		return fmt.Sprintf("%s ± %d min", s.at(o.At), (off+minute-1)/minute)
	}
	return s.at(o.At)
}

func (w *Writer) stampOf(in *incident.Incident) stamp {
	if in.Class.IsAboutServer() {
		return w.second()
	}
	return w.minute()
}

// goesOn reports whether an incident lasts, so that its sentences are in the present tense.
func goesOn(in *incident.Incident) bool {
	return in.Phase == incident.Active || in.Phase == incident.Pending
}

// tense chooses between the present and the past form of a verb.
func tense(in *incident.Incident, is, was string) string {
	if goesOn(in) {
		return is
	}
	return was
}

// be returns the form of "to be" for n things, in the tense of the incident.
func be(in *incident.Incident, n int) string {
	return tense(in, english.Verb(n, "is", "are"), english.Verb(n, "was", "were"))
}

// named prints a place: "LUN 1.4". Names of servers, controllers and arrays need no noun.
func named(p blame.Place) string {
	switch p.Tier {
	case blame.LUN, blame.Host, blame.Drawer, blame.Enclosure, blame.Expander:
		return fmt.Sprintf("%s %s", p.Tier, p.Name)
	case blame.Age:
		return "the year " + p.Name
	}
	if p.Tier.IsAttribute() {
		return fmt.Sprintf("%s %s", p.Tier, p.Name)
	}
	return p.Name
}

// playing returns the members with a role. If the incident goes on, it leaves out members that are
// no longer anomalous, except slow ones, because slowness comes and goes.
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
func (w *Writer) serversOf(components []int) (list []string) {
	for _, c := range components {
		list = append(list, w.of(c).Server)
	}
	slices.SortFunc(list, topology.Compare)
	return slices.Compact(list)
}

// names prints the names of components.
func (w *Writer) names(components []int) string {
	var list []string
	for _, c := range components {
		list = append(list, w.of(c).Name)
	}
	return fold(list)
}

// fold joins names: "fs5 and fs6", "fs[9-128]". A list that is too long for a sentence becomes
// "2.0.5 and 31 more".
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

// among counts the components of a place, of which n are slow: "8 LUNs", or "the 6 compared LUNs" if
// limpet could not compare all of them.
func (w *Writer) among(in *incident.Incident, n int) string {
	judged := max(in.Judged, n)
	if w.size(in) > judged {
		return "the " + english.Count(judged, "compared "+w.unit(in))
	}
	return english.Count(judged, w.unit(in))
}

// size returns the number of all components of a place, compared or not; 0: the incident is about
// several places.
func (w *Writer) size(in *incident.Incident) int {
	if len(in.Joined) > 0 {
		return 0
	}
	list := blame.AttachmentsWith(w.System, in.Place)
	list = slices.DeleteFunc(list, func(c int) bool { return w.of(c).Priority > 1 }) // standby paths are not compared
	if w.unit(in) != "LUN" {
		return len(list)
	}
	luns := map[string]bool{}
	for _, c := range list {
		luns[w.of(c).LUN] = true
	}
	return len(luns)
}

// unit returns the noun for the members of an incident.
func (w *Writer) unit(in *incident.Incident) string {
	switch {
	case len(in.Members) > 0 && w.isService(w.of(in.Members[0].Component)):
		return "OSD"
	case len(in.Members) > 0 && w.of(in.Members[0].Component).LUN == "":
		return "drive"
	case in.Class == finding.Path:
		return "path"
	}
	return "LUN"
}
