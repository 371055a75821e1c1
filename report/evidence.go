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

// Evidence keeps what a page shows: the series of every component, and the scores
// of every window.
type Evidence struct {
	base
	plots *kept
}

// NewEvidence returns evidence of nothing yet.
func NewEvidence(s Subject) *Evidence {
	b := newBase(s)
	return &Evidence{base: b, plots: newPlot(s.System, s.Schema, &s.Options, b.sentences.Lead.Name)}
}

// Mark adds a stretch of time to point at.
func (e *Evidence) Mark(m ...Mark) { e.plots.Mark(m...) }

// Row keeps the values of a row.
func (e *Evidence) Row(row *table.Row) { e.plots.Row(row) }

// watched passes rows on and keeps their values.
type watched struct {
	table.Stream
	e *Evidence
}

// Watch returns the stream with its rows kept as evidence.
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

// List has nothing to keep.
func (e *Evidence) List(*engine.List) {}

// State writes or reads all that the page will show. Marks are not part of it.
func (e *Evidence) State(c *state.Codec, axes *blame.Axes) {
	e.incidentArchive.State(c, axes)
	e.plots.State(c, axes)
}

// Write writes the page of a diagnosis: what limps, each with its evidence, then
// when and where, and what the diagnosis is weaker for.
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
		p.Section("Components that were suspect for the longest time", page.Text(fmt.Sprintf("Every %s, limpet compares each component with its peers. The value of a component rises in every time window in which the component is suspect, and falls in the other time windows.",
			english.Seconds(int64(d.WinShift)*d.StepSeconds))), tableOf("", listColumns, e.listRows(s.Top, s.Incidents)))
	}
	return p.Write(w)
}

// options name a page: what it is of, where, when and how that was judged, and what
// made it.
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

// read says what was read.
func read(inputs []string) string {
	if len(inputs) == 0 {
		return ""
	}
	return ", data read from " + strings.Join(inputs, ", ")
}
