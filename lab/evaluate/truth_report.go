package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/report/page"
)

// Report writes how well the diagnosis agreed with the truth.
func (r *TruthResult) Report() *Report {
	t := &truthReport{r: r}
	t.doc = page.New(page.Options{
		Title: fmt.Sprintf("%s compared with the known faults, %s", r.System, r.origin()),
		Subtitle: fmt.Sprintf("%d components were compared by %s, with method %s. Faults: %d. Days of healthy components: %s.",
			r.Components, strings.Join(r.Metrics, ", "), r.Method, len(r.Faults), brief(math.Round(r.HealthyDays*10)/10)),
		Footer: "limpet evaluate truth",
	})
	t.verdicts()
	t.faults()
	return &Report{Page: t.doc, Figures: t.all}
}

func (r *TruthResult) origin() string {
	if r.Simulated {
		return "simulated"
	}
	return "measured"
}

type truthReport struct {
	r   *TruthResult
	all []Figure
	doc *page.Page
}

func (t *truthReport) add(f Figure) {
	f.Study, f.System, f.Method = "truth", t.r.System, t.r.Method
	t.all = append(t.all, f)
}

func (t *truthReport) verdicts() {
	table := page.Table{Columns: []page.Column{
		{Name: "verdict"},
		{Name: "faults found", Numeric: true},
		{Name: "precision", Numeric: true},
		{Name: "recall", Numeric: true},
		{Name: "MCC", Numeric: true},
		{Name: "median time to verdict", Numeric: true},
		{Name: "false alarms", Numeric: true},
		{Name: "false alarms per 1,000 healthy days", Numeric: true},
	}}
	for i, v := range t.r.Verdicts {
		table.Rows = append(table.Rows, t.verdict(i, &v))
	}
	windows := page.Cells("window by window", "")
	for _, f := range confusionFigures(t.r.Windows, "windows") {
		t.add(f)
		windows = append(windows, page.Cell{Text: fixed(f.Value, 3)})
	}
	table.Rows = append(table.Rows, append(windows, page.Cells("", "", "")...))
	t.doc.Section("Verdicts", page.Text(
		"The accumulator of a component rises by 1 in each time window in which the component is suspect, and falls by 1 in the other time windows. A component has a verdict when its accumulator reaches the given number. Components that a fault hits should have a verdict. "+
			"A verdict on a path that took over load is neither right nor wrong. Any other verdict is a false alarm. A verdict on an event that the truth file calls harmless is also a false alarm."), table)
}

func (t *truthReport) verdict(i int, v *Verdicts) []page.Cell {
	name := fmt.Sprintf("accumulator ≥ %d", v.Persist)
	if v.Persist == 1 {
		name = "suspect at any time"
	}
	add := func(figure, unit string, value float64, n int) {
		t.add(Figure{Condition: name, Name: figure, Unit: unit, Value: value, Paper: math.NaN(), N: n})
	}
	row := page.Cells(name, fmt.Sprintf("%d of %d", v.Found, len(t.r.Faults)))
	add("faults found", "faults", float64(v.Found), len(t.r.Faults))
	for _, f := range confusionFigures(v.Components, name) {
		t.add(f)
		row = append(row, page.Cell{Text: fixed(f.Value, 3)})
	}
	took := t.times(i)
	typical := medianOf(took)
	add("median time to verdict", "s", typical, len(took))
	alarms := fmt.Sprint(v.FalseAlarms)
	if v.Harmless > 0 {
		alarms += fmt.Sprintf(" (%d on harmless events)", v.Harmless)
	}
	add("false alarms", "per 1,000 healthy component-days", v.FalseAlarmRate(), v.FalseAlarms)
	add("false alarms on harmless events", "alarms", float64(v.Harmless), v.FalseAlarms)
	return append(row, page.Cells(clock(typical), alarms, fixed(v.FalseAlarmRate(), 1))...)
}

// times returns the seconds until a kind of verdict, for the faults with such a verdict.
func (t *truthReport) times(i int) []float64 {
	var took []float64
	for _, f := range t.r.Faults {
		if f.ToVerdict[i] != never {
			took = append(took, f.ToVerdict[i].Seconds())
		}
	}
	return took
}

func (t *truthReport) faults() {
	if len(t.r.Faults) == 0 {
		return
	}
	table := page.Table{Columns: []page.Column{{Name: "fault"}, {Name: "component"}}}
	dots := page.Dots{Title: "Time to a verdict", X: page.Axis{Label: "time", Unit: "min", Scale: page.Log}}
	for _, v := range t.r.Verdicts {
		name := fmt.Sprintf("≥ %d", v.Persist)
		table.Columns = append(table.Columns, page.Column{Name: name, Numeric: true})
		dots.Series = append(dots.Series, page.DotSeries{Name: name})
	}
	for _, f := range t.r.Faults {
		row := page.Cells(f.Kind, f.Component)
		dots.Rows = append(dots.Rows, f.Component)
		for i, took := range f.ToVerdict {
			seconds := math.NaN()
			if took != never {
				seconds = took.Seconds()
			}
			t.add(Figure{Subject: f.Component, Condition: fmt.Sprintf("accumulator ≥ %d", t.r.Verdicts[i].Persist), Name: "time to verdict", Unit: "s", Value: seconds, Paper: math.NaN(), N: 1})
			row = append(row, page.Cell{Text: clock(seconds)})
			dots.Series[i].Values = append(dots.Series[i].Values, seconds/60)
		}
		table.Rows = append(table.Rows, row)
	}
	section := t.doc.Section("Time to a verdict, by fault", table)
	if slices.ContainsFunc(t.r.Verdicts, func(v Verdicts) bool { return v.Found > 0 }) {
		section.Add(dots)
	}
}

// clock prints seconds in the usual units, such as min and h.
func clock(seconds float64) string {
	switch {
	case math.IsNaN(seconds):
		return "–"
	case seconds < 120:
		return brief(seconds) + " s"
	case seconds < 7200:
		return brief(math.Round(seconds/6)/10) + " min"
	}
	return brief(math.Round(seconds/360)/10) + " h"
}
