package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/report/sentence"
)

// text prints the result for people at the end. If lists are asked for, it first prints one list
// for every hour, in the form of L13 Figure 5: value, peer group and component, most persistent
// first.
//
//	20110417.04:  33 2:16.51.84  20 2:15.65.74
//	20110417.05:  41 2:16.51.84  22 2:15.65.74
type text struct {
	sink
	base
	listed bool // a list was printed
	recent *recentRatios
}

func newText(w io.Writer, s Subject) *text {
	t := &text{sink: sink{w: w}, base: newBase(s)}
	t.sentences.Zone = s.Zone
	t.recent = newRecentRatios(s.Schema, t.sentences.Lead.Name)
	return t
}

// Window records which components could be judged, and how slow each component was.
func (t *text) Window(w *persistence.Window) {
	t.Judge(w)
	t.recent.add(w, len(t.s.System.Components))
}

func (t *text) List(l *engine.List) {
	if !t.s.Lists {
		return
	}
	var line strings.Builder
	if !t.listed {
		t.printf("hour (%s):  value GROUP:COMPONENT for each component (GROUP: number of its peer group)\n", t.zone())
	}
	fmt.Fprintf(&line, "%s:", time.Unix(l.Hour, 0).In(t.zone()).Format("20060102.15"))
	for _, e := range l.Entries {
		fmt.Fprintf(&line, " %3d %d:%s", e.Value, t.s.System.Components[e.Component].Group, t.name(e))
	}
	if len(l.Entries) == 0 {
		line.WriteString("   -")
	}
	t.printf("%s\n", cut(line.String(), t.s.Columns))
	t.listed = true
}

// cut shortens a line to the columns of a terminal. The mark … at the end shows that the line is
// cut.
func cut(line string, columns int) string {
	runes := []rune(line)
	if columns < 1 || len(runes) <= columns {
		return line
	}
	return string(runes[:columns-1]) + "…"
}

// name returns the name of a component. If several metrics are judged, the name has the metric too.
func (t *text) name(e persistence.Entry) string {
	name := t.s.System.Components[e.Component].Name
	if len(t.s.Options.Metrics) > 1 {
		name += "/" + t.s.Schema.Metrics[e.Metric].Name
	}
	return name
}

// State writes or reads the memory of the text.
func (t *text) State(c *state.Codec, axes *blame.Axes) {
	t.incidentArchive.State(c, axes)
	c.Bool(&t.listed)
	t.recent.State(c, axes, len(t.s.System.Components))
}

// Finish prints the verdict, the incidents, the remarks that limit the verdict, and the latest
// list.
func (t *text) Finish(s Summary) error {
	if t.listed {
		t.printf("\n")
	}
	all := t.chosen(&s)
	t.end(t.standing(&s, all))
	if t.s.Lists && len(s.Top) > 0 {
		t.printf("\nSuspect components at %s, sorted by how long they have been suspect:\n", t.sentences.Time(s.To))
		t.table(s.Top, all)
	}
	return t.err
}

// end prints the result at this moment.
func (t *text) end(s Result) {
	t.printf("%s\n", s.Verdict)
	for _, text := range s.doubtsBeside() {
		t.printf("Uncertain: %s.\n", text)
	}
	t.sections(s.Incidents, s.Suspects)
	s.Silent = unmentioned(&s.Summary)
	for i, line := range sentence.Remarks(t.sentences, &s.Summary.Summary) {
		if i == 0 {
			t.printf("\n")
		}
		t.printf("%s\n", line)
	}
}

// sections prints incidents and suspects under their headings.
func (t *text) sections(all []incident.Incident, suspects []engine.Suspect) {
	for section := range sentence.NumSections {
		heading := fmt.Sprintf("\n%s\n", section)
		show := func(in *incident.Incident, more ...string) {
			t.printf("%s", heading)
			t.incident(in, more)
			heading = ""
		}
		for i := range all {
			if sentence.SectionOf(&all[i]) == section {
				show(&all[i])
			}
		}
		for i := 0; section == sentence.Suspected && i < len(suspects); i++ {
			show(&suspects[i].Incident, t.sentences.Becomes(&suspects[i]))
		}
	}
}

// incident prints one incident: its title, its headline, the reasons, the causes that were ruled
// out, the comments, the lines of more, and the next steps.
func (t *text) incident(in *incident.Incident, more []string) {
	t.printf("  %s", t.sentences.Title(in))
	if in.ID != "" {
		t.printf(" [%s]", in.ID)
	}
	t.printf("\n    %s.\n", t.sentences.Headline(in))
	for _, line := range t.pictures(in) {
		t.printf("    %s\n", line)
	}
	if again := t.sentences.Again(in); again != "" {
		t.printf("    %s\n", again)
	}
	for _, b := range t.sentences.Because(in) {
		t.printf("    - %s\n", b)
	}
	for _, x := range slices.Concat(t.sentences.RuledOut(in), t.sentences.NotChecked(in)) {
		t.printf("    %s\n", &x)
	}
	for _, c := range in.Comments {
		more = append(more, fmt.Sprintf("%s: %q", t.sentences.Time(c.Time), c.Text))
	}
	for _, line := range more {
		t.printf("    %s\n", line)
	}
	for i, next := range t.sentences.Next(in) {
		if i == 0 {
			t.printf("    Next: %s\n", &next)
		} else if t.s.Why {
			t.printf("          %s\n", &next)
		}
	}
	for i, line := range t.sentences.Proposal(in).Lines() {
		if i == 0 || t.s.Why {
			t.printf("    %s\n", line)
		}
	}
	if t.s.Why {
		for _, part := range in.Parts() {
			t.tabular(t.headed(memberColumns), t.memberRows(part, len(part.Members)))
			t.tabular(t.headed(evidenceColumns), t.evidenceRows(part))
		}
	}
}

// tabular prints a table below an incident. It leaves out a column that is empty in all rows, as the
// page does.
func (t *text) tabular(columns []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	columns, rows = filled(columns, rows)
	var out strings.Builder
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{columns}, rows...) {
		fmt.Fprintf(tw, "      %s\n", strings.Join(row, "\t"))
	}
	_ = tw.Flush() // writing into memory cannot fail
	for line := range strings.Lines(out.String()) {
		t.printf("%s\n", strings.TrimRight(line, " \n"))
	}
}

// filled returns the columns of a table that have text in some row, and the cells of these columns.
func filled(columns []string, rows [][]string) (names []string, cells [][]string) {
	cells = make([][]string, len(rows))
	for i, name := range columns {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		names = append(names, name)
		for r, row := range rows {
			cells[r] = append(cells[r], row[i])
		}
	}
	return names, cells
}

// unmentioned returns the silent servers that have no open incident.
func unmentioned(s *Summary) []engine.Silence {
	return slices.DeleteFunc(slices.Clone(s.Silent), func(q engine.Silence) bool {
		return slices.ContainsFunc(s.Incidents, func(in incident.Incident) bool { return in.Place.Name == q.Server && in.Phase != incident.Cleared })
	})
}

// tableLines is the largest number of rows in the table at the end, so that the table fits a
// screen.
const tableLines = 20

// table prints the latest list.
func (t *text) table(top []persistence.Entry, all []incident.Incident) {
	rows := t.listRows(top[:min(len(top), tableLines)], all)
	t.tabular(t.headed(listColumns), rows)
	if more := len(top) - tableLines; more > 0 {
		t.printf("      … and %d more lines\n", more)
	}
}
