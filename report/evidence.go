package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/report/sentence"
)

// Evidence holds the data of a page: the series of every component, and the scores of every window.
type Evidence struct {
	base
	plots *kept
}

// NewEvidence returns evidence without data.
func NewEvidence(s Subject) *Evidence {
	b := newBase(s)
	return &Evidence{base: b, plots: newPlot(s.System, s.Schema, &s.Options, b.sentences.Lead.Name)}
}

// Mark adds time spans that the plots highlight.
func (e *Evidence) Mark(m ...Mark) { e.plots.Mark(m...) }

// Row keeps the values of a row.
func (e *Evidence) Row(row *table.Row) { e.plots.Row(row) }

// watched is a stream that keeps the values of its rows as evidence.
type watched struct {
	table.Stream
	e *Evidence
}

// Watch returns a stream with the same rows. Evidence keeps their values.
func (e *Evidence) Watch(s table.Stream) table.Stream { return watched{s, e} }

func (w watched) Next() (*table.Row, error) {
	row, err := w.Stream.Next()
	if err == nil {
		w.e.Row(row)
	}
	return row, err
}

// Window keeps the scores of a window.
func (e *Evidence) Window(w *persistence.Window) {
	e.Judge(w)
	e.plots.Window(w)
}

// List does nothing: a page shows the list of the summary.
func (e *Evidence) List(*engine.List) {}

// State writes or reads all data of the page except the marks.
func (e *Evidence) State(c *state.Codec, axes *blame.Axes) {
	e.incidentArchive.State(c, axes)
	e.plots.State(c, axes)
}

// Write writes the page of a diagnosis: the incidents with their evidence, plots of when and where
// components limped, and the limits of the diagnosis (for example missing data).
func (e *Evidence) Write(w io.Writer, s Summary) error {
	p := page.New(e.options("Limping components", "limpet diagnose", s.From, s.To))
	if err := e.incidents(p, &s); err != nil {
		return err
	}
	var limits []page.Block
	for _, text := range slices.Concat(sentence.Remarks(e.sentences, &s.Summary), s.Beside()) {
		limits = append(limits, page.Warning(text))
	}
	if len(limits) > 0 {
		p.Section("What limits this diagnosis", limits...)
	}
	if e.s.Lists && len(s.Top) > 0 {
		d := &e.s.Options.Detect
		p.Section("Components that were suspect for the longest time", page.Text(fmt.Sprintf("Every %s, limpet compares each component with its peers and counts how long the component is suspect. The persistence rises in every time window in which the component is suspect, and falls in the other time windows.",
			english.Seconds(int64(d.WinShift)*d.StepSeconds))), tableOf("", listColumns, e.listRows(s.Top, s.Incidents)))
	}
	return p.Write(w)
}

// options returns the title of a page, the time and method of the diagnosis for its subtitle, and
// the command and inputs for its footer.
func (e *Evidence) options(title, command string, from, to int64) page.Options {
	o, at := &e.s.Options, ""
	if e.s.System.Name != "" {
		at = " at " + e.s.System.Name
	}
	return page.Options{
		Title: title + at, Footer: strings.TrimSpace(command+" "+e.s.Version) + read(e.s.Inputs),
		Subtitle: fmt.Sprintf("Data from %s (UTC): %s of %s in %s. Method %s, metrics %s, time steps of %s", e.sentences.Span(from, to),
			english.Count(len(e.s.System.Components), "component"), english.Count(len(e.s.System.Servers), "server"), english.Count(len(e.s.System.Groups), "peer group"), o.Method, strings.Join(o.Metrics, ", "), english.Seconds(o.Detect.StepSeconds)),
	}
}

// read returns the end of the footer, which names the inputs.
func read(inputs []string) string {
	if len(inputs) == 0 {
		return ""
	}
	return ", data read from " + strings.Join(inputs, ", ")
}
