package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
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
	s       Subject
	windows int
	odd     int // anomalies
	end     int64
}

// tableLines bounds the table at the end: more does not fit a screen.
const tableLines = 20

func newText(w io.Writer, s Subject) *text { return &text{sink: sink{w: w}, s: s} }

func (t *text) Window(w *detect.Window) {
	t.windows++
	t.end = max(t.end, w.End)
	for i := range w.Verdicts {
		if w.Verdicts[i].State == detect.Anomalous {
			t.odd++
		}
	}
}

func (t *text) List(l *diagnose.List) {
	var line strings.Builder
	fmt.Fprintf(&line, "%s:", time.Unix(l.Hour, 0).UTC().Format("20060102.15"))
	for _, e := range l.Entries {
		fmt.Fprintf(&line, " %3d %s", e.Value, t.label(e))
	}
	if len(l.Entries) == 0 {
		line.WriteString("   -")
	}
	t.printf("%s\n", cut(line.String(), t.s.Columns))
}

// cut shortens a line to a terminal's columns and shows that it did.
func cut(line string, columns int) string {
	runes := []rune(line)
	if columns < 1 || len(runes) <= columns {
		return line
	}
	return string(runes[:columns-1]) + "…"
}

// label names the metric only where several are judged.
func (t *text) label(e rank.Entry) string {
	label := t.s.System.Label(e.Component)
	if len(t.s.Options.Metrics) > 1 {
		label += "/" + t.s.Schema.Metrics[e.Metric].Name
	}
	return label
}

func (t *text) Finish(s Summary) error {
	switch {
	case t.windows == 0:
		t.printf("\nNo window could be judged: a verdict needs more than %s of data of at least 3 peers.\n", t.half())
	case len(s.Top) == 0:
		t.printf("\nNothing limps: in %d windows no component stayed odd among its peers (%d passing anomalies).\n", t.windows, t.odd)
	default:
		t.printf("\nAt %sZ, most persistent first:\n", utc(t.end))
		t.table(s.Top)
	}
	for _, q := range s.Silent {
		t.printf("%s\n", silenceText(q))
	}
	return t.err
}

func (t *text) half() string {
	o := t.s.Options.Detect
	return (time.Duration(int64(o.WinSize)*o.StepSeconds) * time.Second / 2).String()
}

func silenceText(q diagnose.Silence) string {
	if q.Since == 0 {
		return fmt.Sprintf("%s sent no data at all.", q.Server)
	}
	return fmt.Sprintf("%s has sent no data since %sZ.", q.Server, utc(q.Since))
}

func (t *text) table(top []rank.Entry) {
	var out strings.Builder
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "  value\tsince (UTC)\tcomponent\tpeer group\tevidence\n")
	for _, e := range top[:min(len(top), tableLines)] {
		c := &t.s.System.Components[e.Component]
		fmt.Fprintf(tw, "  %5d\t%s\t%s\t%s\t%s\n", e.Value, utc(e.Since), c.Name, t.s.System.Groups[c.Group-1].Name, t.s.Evidence(e))
	}
	_ = tw.Flush() // into memory
	t.printf("%s", out.String())
	if more := len(top) - tableLines; more > 0 {
		t.printf("  … and %d more\n", more)
	}
}

// Evidence says in words what the last window showed of a component.
func (s *Subject) Evidence(e rank.Entry) string {
	m := s.Schema.Metrics[e.Metric]
	v := &e.Last
	switch {
	case v.State == detect.Normal:
		return fmt.Sprintf("%s back among its peers, winding down", m.Name)
	case v.Reason == detect.Gone || v.Reason == detect.Idle:
		return v.Reason.String()
	case s.Trained:
		return fmt.Sprintf("%s %.3g %s; distance from its peers %.3g, threshold %.3g", m.Name, v.Median, m.Unit, v.Score, v.Threshold)
	case finite(v.Ratio) == nil:
		return fmt.Sprintf("%s %.3g %s while its peers are idle", m.Name, v.Median, m.Unit)
	}
	return fmt.Sprintf("%s %.3g %s, its peers %.3g: %.3g times", m.Name, v.Median, m.Unit, v.Median/v.Ratio, v.Ratio)
}
