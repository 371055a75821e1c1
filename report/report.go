package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/servicecause"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/report/picture"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/report/witness"
	"github.com/limpet-storage/limpet/topology"
)

// Subject holds the system that a report is about, and the settings of the report.
type Subject struct {
	System  *topology.System
	Schema  table.Schema
	Options engine.Options
	Trained bool
	Version string // version of limpet; empty: not shown
	// Columns is the width to which the lines of hourly lists in text are cut; 0: not cut.
	Columns int
	// Lists shows the hourly lists. In JSON and CSV it also shows all windows.
	Lists bool
	// Why shows all members and all evidence of every incident in text.
	Why bool
	// Pictures chooses the characters of pictures in text.
	Pictures picture.Style
	// Zone is the time zone of times in text; nil: UTC. JSON, CSV and pages always have UTC.
	Zone *time.Location
	// Choice selects the incidents and suspects to show; nil: all.
	Choice Choice
	// Outlook returns how often slow SSDs or disks of this fleet recovered by themselves; nil: the
	// results of T16 are used.
	Outlook func(ssd bool) *advice.Prognosis
	// Policy is the policy for actions about incidents; nil: limpet may do nothing.
	Policy *action.Policy
	// Acted adds the earlier actions to the situation from which a plan is made; nil: there are
	// none.
	Acted func(*action.Situation)
	// Inputs are the names of the inputs, for pages; empty: not shown.
	Inputs []string
	// Witnesses are the errors that drives and kernels logged; nil: no logs were read.
	Witnesses *witness.Record
	// Hosts are the measurements of the hosts of services; nil: no files of hosts were read.
	Hosts *servicecause.Hosts
	// Diagnosis distinguishes the reports of services and of their hosts: "services" or "hosts". It
	// is empty if there is one report.
	Diagnosis string
	// HostReport is the JSON report about the hosts of the services; nil: there is none.
	HostReport []byte
}

// Choice selects the incidents and suspects of a report.
type Choice interface {
	// Shows reports whether the report shows an incident or a suspect.
	Shows(*incident.Incident) bool
	// Nothing returns the verdict if nothing is shown; leftOut is the number of incidents and
	// suspects that were left out. Empty: use the verdict of the diagnosis.
	Nothing(leftOut int) string
	// Unchanged returns the sentence after the verdict that counts the incidents and suspects that have
	// not changed since the last run. It is empty if the choice is not about changes.
	Unchanged(leftOut int) string
}

// Summary is the result at the end of a diagnosis.
type Summary struct {
	engine.Summary
	Warnings []string          // warnings of source, topology and model
	Doubts   []string          // warnings because of which the verdict may be wrong: shown below the verdict
	unusable map[string]string // by server: warning about data that limpet cannot use
	silent   []string          // warnings that a remark of the report repeats: about servers without data, or without data that limpet can use
}

// AddWarnings adds the warnings of a source: grave warnings to Doubts, the others to Warnings. A
// silent server gets the warning that explains why limpet cannot use its data.
func (s *Summary) AddWarnings(warnings []topology.Warning) {
	for _, w := range warnings {
		if w.Grave {
			s.Doubts = append(s.Doubts, w.String())
		} else {
			s.Warnings = append(s.Warnings, w.String())
		}
		if explained := s.explain(w); w.ServersWithoutData || explained {
			s.silent = append(s.silent, w.String())
		}
	}
}

// explain sets the reason of the silent servers that a warning is about. It reports whether all
// servers of the warning are silent and without data from the beginning, so that the report states
// the warning for each of them.
func (s *Summary) explain(w topology.Warning) (all bool) {
	if s.unusable == nil {
		s.unusable = map[string]string{}
	}
	for _, server := range w.Servers {
		s.unusable[server] = w.String()
	}
	s.Silent = slices.Clone(s.Silent)
	never := 0
	for i := range s.Silent {
		if q := &s.Silent[i]; slices.Contains(w.Servers, q.Server) {
			q.Why = w.String()
			if q.Since == 0 {
				never++
			}
		}
	}
	return len(w.Servers) > 0 && never == len(w.Servers)
}

// Beside returns the warnings that are shown beside a report for people: all warnings that no
// remark of the report repeats.
func (s *Summary) Beside() []string {
	return slices.DeleteFunc(slices.Clone(s.Warnings), func(text string) bool { return slices.Contains(s.silent, text) })
}

// Cautions returns all warnings, grave ones first.
func (s *Summary) Cautions() []string { return slices.Concat(s.Doubts, s.Warnings) }

// Writer writes a report while the diagnosis runs.
type Writer interface {
	engine.Listener
	// State writes or reads the memory of the writer.
	State(c *state.Codec, axes *blame.Axes)
	// Finish writes the end of the report, and returns the first error.
	Finish(Summary) error
}

// Formats returns the names of formats that [New] accepts.
func Formats() []string { return []string{"text", "json", "csv"} }

// New returns a writer of the given format.
func New(format string, w io.Writer, s Subject) (Writer, error) {
	switch format {
	case "text":
		return newText(w, s), nil
	case "json":
		return newJSON(w, s), nil
	case "csv":
		return newCSV(w, s), nil
	}
	return nil, fmt.Errorf("format %q is unknown: use one of %s", format, strings.Join(Formats(), ", "))
}

// base has the common fields of all report writers: the subject, the writer of sentences about it,
// and the archive of incidents.
type base struct {
	*incidentArchive
	s         Subject
	sentences *sentence.Writer
	leftOut   int // incidents and suspects that the choice leaves out
}

func newBase(s Subject) base {
	sentences := s.Sentences()
	return base{incidentArchive: newIncidentArchive(len(s.System.Components)), s: s, sentences: sentences}
}

// Sentences returns a writer of sentences about the subject.
func (s *Subject) Sentences() *sentence.Writer {
	w := sentence.New(s.System, s.Schema, &s.Options)
	w.Outlook, w.Witnesses, w.Hosts = s.Outlook, s.Witnesses, s.Hosts
	return w
}

// chosen returns the incidents that are shown, and removes the suspects that are not
// shown from the summary.
func (b *base) chosen(s *Summary) []incident.Incident {
	all := b.All(s.Incidents)
	b.open(s)
	if b.s.Choice == nil {
		return all
	}
	before := len(all) + len(s.Suspects)
	all = slices.DeleteFunc(all, func(in incident.Incident) bool { return !b.s.Choice.Shows(&in) })
	s.Suspects = slices.DeleteFunc(slices.Clone(s.Suspects), func(q engine.Suspect) bool { return !b.s.Choice.Shows(&q.Incident) })
	b.leftOut = before - len(all) - len(s.Suspects)
	return all
}

// open gives the writer of sentences all incidents and suspects that are not over,
// whether they are shown or not. Advice and actions count them.
func (b *base) open(s *Summary) { b.s.Advise(b.sentences, s) }

// Advise gives a writer of sentences all incidents and suspects of a summary that are not
// over, so that its sentences can advise an operator.
func (s *Subject) Advise(w *sentence.Writer, now *Summary) {
	all := slices.Clone(now.Incidents)
	for i := range now.Suspects {
		all = append(all, now.Suspects[i].Incident)
	}
	w.Unusable = now.unusable
	w.Open = sync.OnceValue(func() *sentence.Open { return sentence.NewOpen(s.System, all) })
	if s.Policy != nil {
		situation := action.Situation{System: s.System, Now: now.To, Open: all}
		for _, q := range now.Silent {
			situation.Silent = append(situation.Silent, q.Server)
		}
		w.Actions = sync.OnceValue(func() *action.Plan {
			if s.Acted != nil {
				s.Acted(&situation)
			}
			return action.New(s.Policy, situation)
		})
	}
}

// standing returns the result of the diagnosis, with the first line of a report.
func (b *base) standing(s *Summary, all []incident.Incident) Result {
	out := Result{Summary: *s, Incidents: all}
	out.Verdict, out.NothingLimps = b.verdict(s, all)
	return out
}

// verdict returns the first line of a report, and reports whether nothing limps.
func (b *base) verdict(s *Summary, all []incident.Incident) (text string, nothingLimps bool) {
	if b.s.Choice != nil && len(all)+len(s.Suspects) == 0 {
		if text := b.s.Choice.Nothing(b.leftOut); text != "" {
			return text, false
		}
	}
	text, nothingLimps = b.Verdict(b.sentences, &b.s.Options, &s.Summary, all, s.Doubts)
	if b.s.Choice != nil {
		text += b.s.Choice.Unchanged(b.leftOut)
	}
	return text, nothingLimps
}

// zone returns the time zone of the report's times.
func (b *base) zone() *time.Location {
	if b.sentences.Zone == nil {
		return time.UTC
	}
	return b.sentences.Zone
}

// headed returns the heads of columns, with the time zone of the report in the heads of times.
func (b *base) headed(columns []string) []string {
	named := slices.Clone(columns)
	for i := range named {
		named[i] = strings.Replace(named[i], "(UTC)", "("+b.zone().String()+")", 1)
	}
	return named
}

// at formats a time for tables. Except in UTC the time has its offset, because an hour occurs twice
// when clocks are put back.
func (b *base) at(t int64) string {
	switch {
	case t == 0:
		return ""
	case b.zone() == time.UTC:
		return format(t, "2006-01-02 15:04")
	}
	return time.Unix(t, 0).In(b.zone()).Format("2006-01-02 15:04Z07:00")
}

// rfc3339 formats a time for programs.
func rfc3339(t int64) string { return format(t, time.RFC3339) }

// format formats a Unix time in UTC; empty if the time is 0.
func format(t int64, layout string) string {
	if t == 0 {
		return ""
	}
	return time.Unix(t, 0).UTC().Format(layout)
}

// sink remembers the first error of a writer.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) printf(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format, args...)
	}
}

// several is a listener that passes every call on to all of its listeners.
type several []engine.Listener

// Several returns a listener that passes every call on to all of ls.
func Several(ls ...engine.Listener) engine.Listener { return several(ls) }

func (s several) Window(w *persistence.Window) {
	for _, l := range s {
		l.Window(w)
	}
}

func (s several) List(list *engine.List) {
	for _, l := range s {
		l.List(list)
	}
}

func (s several) Event(e *incident.Event) {
	for _, l := range s {
		l.Event(e)
	}
}
