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

// Subject is what a report is about.
type Subject struct {
	System  *topology.System
	Schema  table.Schema
	Options engine.Options
	Trained bool
	Version string // of limpet; empty where it is not to be told
	// Columns cuts the lines of hourly lists in text; 0 leaves them whole.
	Columns int
	// Lists shows the hourly lists, and in JSON and CSV all windows.
	Lists bool
	// Why shows the members of every incident in text, and all of its evidence.
	Why bool
	// Pictures chooses the characters of pictures in text.
	Pictures picture.Style
	// Zone is that of times in text; nil is UTC, which JSON, CSV and pages have.
	Zone *time.Location
	// Choice leaves incidents and suspects out; nil shows all.
	Choice Choice
	// Outlook is what slow drives of this fleet did; nil is what T16 found.
	Outlook func(ssd bool) *advice.Prognosis
	// Policy is what limpet may do about incidents; nil: nothing.
	Policy *action.Policy
	// Acted adds the actions of before to what a plan is made for; nil: there are none.
	Acted func(*action.Situation)
	// Inputs name what was read, for pages; empty where it is not to be told.
	Inputs []string
	// Witnesses are what drives and kernels say of themselves; nil without them.
	Witnesses *witness.Record
	// Hosts are what the hosts of services measured; nil without their files.
	Hosts *servicecause.Hosts
	// Diagnosis tells the reports of services and of their hosts apart: "services" or "hosts". It is
	// empty where there is one report.
	Diagnosis string
	// HostReport is the JSON report about the hosts of the services; nil without it.
	HostReport []byte
}

// Choice says what is shown.
type Choice interface {
	// Shows says whether an incident or a suspect is.
	Shows(*incident.Incident) bool
	// Nothing is the verdict where nothing is shown and so many were left out;
	// empty where the diagnosis speaks for itself.
	Nothing(leftOut int) string
}

// Summary is what is known at the end of a diagnosis.
type Summary struct {
	engine.Summary
	Warnings []string // of source, topology and model
	Doubts   []string // those for which the verdict may be wrong: they stand below it
	silent   []string // those of Warnings that name servers without data, as remarks of the report do
}

// Heed takes the warnings of a source up, grave ones as doubts.
func (s *Summary) Heed(warnings []topology.Warning) {
	for _, w := range warnings {
		if w.Grave {
			s.Doubts = append(s.Doubts, w.String())
		} else {
			s.Warnings = append(s.Warnings, w.String())
		}
		if w.Silent {
			s.silent = append(s.silent, w.String())
		}
	}
}

// Beside returns the warnings that are shown beside a report for people: all but those that a
// remark of the report repeats.
func (s *Summary) Beside() []string {
	return slices.DeleteFunc(slices.Clone(s.Warnings), func(text string) bool { return slices.Contains(s.silent, text) })
}

// Cautions are all warnings, grave ones first.
func (s *Summary) Cautions() []string { return slices.Concat(s.Doubts, s.Warnings) }

// Writer writes a report as the diagnosis goes on.
type Writer interface {
	engine.Listener
	// State writes or reads what the writer remembers.
	State(c *state.Codec, axes *blame.Axes)
	// Finish writes what stands at the end, and returns the first error.
	Finish(Summary) error
}

// Formats lists the names that [New] knows.
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
	return nil, fmt.Errorf("format %q is unknown: use %s", format, strings.Join(Formats(), ", "))
}

// base is what all writers of a report have: the subject, the writer of sentences about
// it, and the archive of incidents.
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

// standing returns how things stand, with the first line of a report.
func (b *base) standing(s *Summary, all []incident.Incident) Standing {
	out := Standing{Summary: *s, Incidents: all}
	out.Verdict, out.NothingLimps = b.verdict(s, all)
	return out
}

// verdict returns the first line of a report, and reports whether it is that nothing
// limps.
func (b *base) verdict(s *Summary, all []incident.Incident) (text string, nothingLimps bool) {
	if b.s.Choice != nil && len(all)+len(s.Suspects) == 0 {
		if text := b.s.Choice.Nothing(b.leftOut); text != "" {
			return text, false
		}
	}
	return b.Verdict(b.sentences, &b.s.Options, &s.Summary, all)
}

// zone is that of the report's times.
func (b *base) zone() *time.Location {
	if b.sentences.Zone == nil {
		return time.UTC
	}
	return b.sentences.Zone
}

// headed are the columns of a table, whose head says which zone its times are of.
func (b *base) headed(columns []string) []string {
	named := slices.Clone(columns)
	for i := range named {
		named[i] = strings.Replace(named[i], "(UTC)", "("+b.zone().String()+")", 1)
	}
	return named
}

// at formats a time for tables. In a zone that puts its clocks back an hour comes
// twice, so that each time shows its offset.
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

// format is empty where there is no time.
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

// several passes a diagnosis on to several listeners.
type several []engine.Listener

// Several returns a listener that passes on to all of ls.
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
