package evaluate

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/limpet-storage/limpet/report/page"
)

// Report is an evaluation to be shown: one content, as text, as a page, and as
// a long table of every figure.
type Report struct {
	Page    *page.Page
	Figures []Figure
}

// Figure is one number, with the number of the paper if there is one.
type Figure struct {
	Study     string // testbench, intrepid, truth
	System    string // "pvfs-10/10"
	Method    string // "f10"; the measure where that is what differs
	Subject   string // a fault, an event or a kind of event
	Condition string // the workload, or what makes a verdict
	Name      string // "ITP"
	Unit      string
	Value     float64 // NaN where there is none
	Paper     float64 // NaN where the paper has none
	Source    string  // "F10 Table 2"
	N         int     // experiments, events or components behind it
}

// difference is how far our figure lies from the paper's; NaN where there is
// nothing to compare.
func (f *Figure) difference() float64 { return f.Value - f.Paper }

var figureColumns = []string{"study", "system", "method", "subject", "condition", "figure", "unit", "value", "paper", "source", "n"}

// CSV writes all figures as one table. What is not known is empty.
func (r *Report) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(figureColumns); err != nil {
		return err
	}
	for _, f := range r.Figures {
		line := []string{
			f.Study, f.System, f.Method, f.Subject, f.Condition, f.Name, f.Unit,
			number(f.Value), number(f.Paper), f.Source, strconv.Itoa(f.N),
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Text writes the report for a terminal.
func (r *Report) Text(w io.Writer) error { return writeText(w, r.Page) }

// HTML writes the report as a page.
func (r *Report) HTML(w io.Writer) error { return r.Page.Write(w) }

func number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 10, 64)
}

// fixed prints a number with so many decimals, and what is not known as a
// dash.
func fixed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// brief prints a number with one decimal where it has one.
func brief(v float64) string {
	if v == math.Trunc(v) {
		return fixed(v, 0)
	}
	return fixed(v, 1)
}
