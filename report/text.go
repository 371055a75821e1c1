package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/rank"
)

// text prints a list for every hour in the form of L13 Figure 5, and what
// stands at the end as a table:
//
//	20110417.04:  33 2:16.51.84  20 2:15.65.74
//	20110417.05:  41 2:16.51.84  22 2:15.65.74
//
// Value, peer group and component, most persistent first.
type text struct {
	sink
	coverage
	s     Subject
	lists strings.Builder // hourly, until the incidents are known
}

// tableLines bounds the table at the end: more does not fit a screen.
const tableLines = 20

func newText(w io.Writer, s Subject) *text {
	return &text{sink: sink{w: w}, coverage: newCoverage(), s: s}
}

func (t *text) Window(w *detect.Window) { t.window(w) }

func (t *text) List(l *diagnose.List) {
	if !t.s.Lists {
		return
	}
	var line strings.Builder
	fmt.Fprintf(&line, "%s:", time.Unix(l.Hour, 0).UTC().Format("20060102.15"))
	for _, e := range l.Entries {
		fmt.Fprintf(&line, " %3d %d:%s", e.Value, t.s.System.Components[e.Component].Group, t.name(e))
	}
	if len(l.Entries) == 0 {
		line.WriteString("   -")
	}
	fmt.Fprintln(&t.lists, cut(line.String(), t.s.Columns))
}

// cut shortens a line to a terminal's columns and shows that it did.
func cut(line string, columns int) string {
	runes := []rune(line)
	if columns < 1 || len(runes) <= columns {
		return line
	}
	return string(runes[:columns-1]) + "…"
}

// name names the metric too where several are judged.
func (t *text) name(e rank.Entry) string {
	name := t.s.System.Components[e.Component].Name
	if len(t.s.Options.Metrics) > 1 {
		name += "/" + t.s.Schema.Metrics[e.Metric].Name
	}
	return name
}

func (t *text) Finish(s Summary) error {
	switch {
	case t.s.Options.Indict != diagnose.Nobody:
		t.indict(&s)
	case len(s.Incidents) == 0:
		t.printf("%s\n", t.nothing(&t.s))
	default:
		t.incidents(s.Incidents)
	}
	for _, q := range unmentioned(&s) {
		t.printf("%s\n", silenceText(q))
	}
	t.listed(&s)
	return t.err
}

// listed prints the hourly lists and what stands at the end of them.
func (t *text) listed(s *Summary) {
	if !t.s.Lists {
		return
	}
	t.printf("\n%s", t.lists.String())
	if len(s.Top) > 0 {
		t.printf("\nAt %sZ, most persistent first:\n", utc(t.end))
		t.table(s.Top)
	}
}

// unmentioned are the silent servers that no incident tells of.
func unmentioned(s *Summary) []diagnose.Silence {
	return slices.DeleteFunc(slices.Clone(s.Silent), func(q diagnose.Silence) bool {
		return slices.ContainsFunc(s.Incidents, func(in incident.Incident) bool { return in.Component == q.Server && in.State != incident.Cleared })
	})
}

func silenceText(q diagnose.Silence) string {
	if q.Since == 0 {
		return fmt.Sprintf("There are no usable data of %s.", q.Server)
	}
	return fmt.Sprintf("There are no usable data of %s since %sZ.", q.Server, utc(q.Since))
}

// table shows one line for each story.
func (t *text) table(top []rank.Entry) {
	var out strings.Builder
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "  value\tsuspect since\tcomponent\tpeer group\tevidence\n")
	all := stories(t.s.System, top)
	for _, s := range all[:min(len(all), tableLines)] {
		e := s.entries[0]
		group := &t.s.System.Groups[t.s.System.Components[e.Component].Group-1]
		fmt.Fprintf(tw, "  %5d\t%s\t%s\t%s\t%s%s\n", e.Value, utc(e.Since), t.name(e), group.Name, t.s.Say(e), t.alike(s))
	}
	_ = tw.Flush() // into memory
	t.printf("%s", out.String())
	if more := len(all) - tableLines; more > 0 {
		t.printf("  … and %d more\n", more)
	}
}

// alike names the others of a story.
func (t *text) alike(s *story) string {
	if len(s.entries) == 1 {
		return ""
	}
	var names []string
	for _, e := range s.entries[1:] {
		names = append(names, t.s.System.Components[e.Component].Name)
	}
	if len(names) > aliasLimit {
		names = append(names[:aliasLimit], "…")
	}
	return fmt.Sprintf("; likewise %d more: %s", len(s.entries)-1, strings.Join(names, ", "))
}

// aliasLimit is how many others are named.
const aliasLimit = 3

// Say puts what the last odd window showed of a component into words.
func (s *Subject) Say(e rank.Entry) string {
	text := s.say(e)
	if e.Fades {
		text += " (fading)"
	}
	return text
}

func (s *Subject) say(e rank.Entry) string {
	m := s.Schema.Metrics[e.Metric]
	v := &e.Last
	switch {
	case v.Reason != detect.Differs:
		return v.Reason.String()
	case s.Trained:
		return fmt.Sprintf("%s %s; distance from its peers %.3g, threshold %.3g", m.Name, quantity(v.Median, m.Unit), v.Score, v.Threshold)
	case v.Peers == 0:
		return fmt.Sprintf("%s %s while its peers are idle", m.Name, quantity(v.Median, m.Unit))
	}
	return fmt.Sprintf("%s %s, its peers %s: %.3g times", m.Name, quantity(v.Median, m.Unit), quantity(v.Peers, ""), v.Median/v.Peers)
}

// quantity prints three digits, and large numbers without an exponent.
func quantity(v float64, unit string) string {
	text := strconv.FormatFloat(v, 'g', 3, 64)
	if v >= 1000 {
		text = strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strings.TrimSpace(text + " " + unit)
}
