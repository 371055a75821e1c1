package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/table"
)

// csvReport writes one table with a line for every component of every window
// ("window"), for every line of every list ("list"), for every metric that
// indicts a server ("indictment"), and for every incident ("incident") and
// component of it ("member"). What has no meaning for a line is empty.
type csvReport struct {
	w *csv.Writer
	s Subject
}

var csvHeader = []string{
	"record", "time", "group", "component", "metric", "rank", "value", "score", "threshold",
	"state", "reason", "median", "peers", "suspect", "bins", "width",
	"server", "cause", "decides",
	"incident", "kind", "tier", "confirmed", "end", "worst", "text",
}

func newCSV(w io.Writer, s Subject) *csvReport {
	c := &csvReport{w: csv.NewWriter(w), s: s}
	c.line(csvHeader...)
	return c
}

// line writes a line; csv.Writer keeps the first error for Finish.
func (c *csvReport) line(fields ...string) {
	for len(fields) < len(csvHeader) {
		fields = append(fields, "")
	}
	_ = c.w.Write(fields)
}

func (c *csvReport) Window(w *detect.Window) {
	bins, width := "", ""
	if w.Bins.Count > 0 {
		bins, width = strconv.Itoa(w.Bins.Count), number(w.Bins.Width)
	}
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		c.line("window", rfc3339(w.End), strconv.Itoa(c.s.System.Groups[w.Group].ID),
			c.s.System.Components[v.Component].Name, c.s.Schema.Metrics[w.Metric].Name, "", "",
			number(v.Score), number(v.Threshold), v.State.String(), v.Reason.String(),
			number(v.Median), number(v.Peers), strconv.FormatBool(v.Suspect), bins, width)
	}
}

func (c *csvReport) List(l *diagnose.List) {
	for i, e := range l.Entries {
		of := &c.s.System.Components[e.Component]
		c.line("list", rfc3339(l.Hour), strconv.Itoa(of.Group), of.Name, c.s.Schema.Metrics[e.Metric].Name,
			strconv.Itoa(i+1), strconv.Itoa(e.Value), number(e.Last.Score), number(e.Last.Threshold),
			e.Last.State.String(), e.Last.Reason.String(), number(e.Last.Median), number(e.Last.Peers))
	}
}

// indictment writes the evidence against a server, what decided first. Its time
// is the onset.
func (c *csvReport) indictment(in *explain.Indictment) {
	for _, e := range ordered(in) {
		group := ""
		if of, ok := c.s.System.Lookup(e.Component); ok {
			group = strconv.Itoa(c.s.System.Components[of].Group)
		}
		c.line("indictment", rfc3339(in.Onset.At), group, e.Component, e.Metric, "", "",
			number(e.Score), number(e.Threshold), "", "", number(e.Median), number(e.Peers), "true", "", "",
			in.Server, string(in.Cause), strconv.FormatBool(in.Cause.Decides(e.Metric)))
	}
}

// number leaves out what was not measured.
func number(v float64) string {
	if table.IsMissing(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func (c *csvReport) Finish(s Summary) error {
	for i := range s.Indictments {
		c.indictment(&s.Indictments[i])
	}
	for i := range s.Incidents {
		c.incident(&s.Incidents[i])
	}
	c.w.Flush()
	return c.w.Error()
}
