package evaluate

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/limpet-storage/limpet/report/page"
)

// Report is an evaluation to be shown as text, as an HTML page, and as a table with a line for each
// figure.
type Report struct {
	Page    *page.Page
	Figures []Figure
}

// Figure is one number, with the number of the paper if there is one.
type Figure struct {
	Study     string // testbench, intrepid, truth
	System    string // "pvfs-10/10"
	Method    string // "f10"; the measure, if measures are compared
	Subject   string // a fault, an event or a kind of event
	Condition string // the workload, or the persistence that a verdict needs
	Name      string // "ITP"
	Unit      string
	Value     float64 // NaN: unknown
	Paper     float64 // NaN: the paper has no such number
	Source    string  // "F10 Table 2"
	N         int     // number of experiments, events or components of the figure
}

// difference returns how far our figure is above the paper's; NaN if either is unknown.
func (f *Figure) difference() float64 { return f.Value - f.Paper }

var figureColumns = []string{"study", "system", "method", "subject", "condition", "figure", "unit", "value", "paper", "source", "n"}

// CSV writes all figures as one table. Unknown numbers are empty.
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

// fixed prints a number with the given number of decimals, and NaN as a dash.
func fixed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// brief prints a whole number without decimals, and any other number with one decimal.
func brief(v float64) string {
	if v == math.Trunc(v) {
		return fixed(v, 0)
	}
	return fixed(v, 1)
}
