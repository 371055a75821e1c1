package engine_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/report"
)

// paper is an unfinished report: the text so far and the state of its writer. It is saved
// with the engine, as a file stays on disk.
type paper struct {
	report.Writer
	subject report.Subject
	format  string
	written bytes.Buffer
}

func newPaper(p *tape, format string) *paper {
	w := &paper{subject: p.subject(), format: format}
	w.Writer, _ = report.New(format, &w.written, w.subject) // a format that there is
	return w
}

func (p *tape) subject() report.Subject {
	o := p.opts
	o.FitTo(p.schema)
	return report.Subject{System: p.system, Schema: p.schema, Options: o, Trained: p.model != nil, Lists: true, Why: true}
}

func (w *paper) State(c *state.Codec, axes *blame.Axes) {
	w.Writer.State(c, axes) // which writes what it still holds
	var parts []string
	for text := range slices.Chunk(w.written.Bytes(), 1<<19) {
		parts = append(parts, string(text))
	}
	state.Texts(c, &parts)
	if !c.Saving() {
		w.written.Reset()
		w.written.WriteString(strings.Join(parts, ""))
	}
}

// output returns the report as if it ended here. It ends a copy, so that the report
// itself can continue.
func (w *paper) output(s *engine.Summary) string {
	again := &paper{subject: w.subject, format: w.format}
	again.Writer, _ = report.New(w.format, &again.written, w.subject)
	stateCopy(w, again, w.subject)
	if err := again.Finish(report.Summary{Summary: *s}); err != nil {
		return err.Error()
	}
	return again.written.String()
}

// stateCopy copies the state of one stage into another.
func stateCopy(from, to engine.Stateful, s report.Subject) {
	m := blame.NewMap(s.System)
	data, err := state.Encode(1, func(c *state.Codec) { from.State(c, m.Axes(c)) })
	if err == nil {
		err = state.Decode(data, 1, func(c *state.Codec) { to.State(c, m.Axes(c)) })
	}
	if err != nil {
		panic(err)
	}
}

// sheet is an unfinished page.
type sheet struct{ *report.Evidence }

func (s *sheet) output(sum *engine.Summary) string {
	var page bytes.Buffer
	if err := s.Write(&page, report.Summary{Summary: *sum}); err != nil {
		return err.Error()
	}
	return page.String()
}

// reports returns all kinds of reports about a tape.
func (p *tape) reports() []func() writer {
	var all []func() writer
	for _, format := range report.Formats() {
		all = append(all, func() writer { return newPaper(p, format) })
	}
	return append(all, func() writer { return &sheet{Evidence: report.NewEvidence(p.subject())} })
}

// TestCutReports: a diagnosis that is saved and restored anywhere gives the same text,
// JSON, CSV and page as the uncut one, byte for byte.
func TestCutReports(t *testing.T) {
	p := eventful(t)
	cutAnywhere(t, p, 12, 2*hour, p.reports()...)
}

// TestCutReportsOfServers: the same with both questions.
func TestCutReportsOfServers(t *testing.T) {
	e := experiment(pvfs, testbench.DDW, testbench.DiskHog, 1, 6)
	p := &tape{recording: record(t, e, 500), opts: engine.DefaultOptions()}
	cutAnywhere(t, p, 8, 200, p.reports()...)
}
