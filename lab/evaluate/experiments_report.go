package evaluate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/report/page"
)

// Report returns the rates of right diagnoses, with the figures of F10.
func (r *ExperimentsResult) Report(p *Published) *Report {
	t := &experimentsReport{r: r}
	controls := r.Controls()
	t.doc = page.New(page.Options{
		Title: r.Name + ", recorded runs compared with the known faults",
		Subtitle: fmt.Sprintf("%d runs, %s. A server was wrongly accused in %d of %d control runs (runs without a fault).",
			len(r.Runs), r.how(), controls.Of, controls.All),
		Footer: "limpet evaluate truth",
	})
	t.summary(p)
	t.byFault()
	t.onsets()
	t.times()
	t.wrong()
	t.everyRun()
	return &Report{Page: t.doc, Figures: t.figures}
}

// how returns a text with the data and the method of the diagnosis.
func (r *ExperimentsResult) how() string {
	if r.Fence != nil {
		return fmt.Sprintf("judged only by the rule %s on the latencies of components, without limpet's diagnosis", r.Fence.Name)
	}
	return "diagnosed for slow components and slow servers, without training"
}

type experimentsReport struct {
	r       *ExperimentsResult
	doc     *page.Page
	figures []Figure
}

func (t *experimentsReport) add(f Figure) {
	f.Study, f.System, f.Method = "recorded", t.r.Name, "default"
	if t.r.Fence != nil {
		f.Method = t.r.Fence.Name
	}
	t.figures = append(t.figures, f)
}

// ratesColumns returns the columns of a table of rates.
func ratesColumns(first string) []page.Column {
	all := []page.Column{{Name: first}, {Name: "runs", Numeric: true}}
	for rate := range numRates {
		all = append(all, page.Column{Name: rate.String() + " %", Numeric: true})
	}
	return all
}

func (t *experimentsReport) summary(p *Published) {
	table := page.Table{Columns: ratesColumns("kind of runs")}
	for _, g := range groups {
		row, n := t.row(g.name, g.has, papers(p, g.name))
		if n > 0 {
			row[0].Text = cmp.Or(g.title, g.name)
			table.Rows = append(table.Rows, row)
		}
	}
	for _, g := range groups[:2] {
		row := page.Cells(g.title+", figures of the paper", "")
		for _, v := range papers(p, g.name) {
			row = append(row, page.Cell{Text: oneDecimal(v)})
		}
		table.Rows = append(table.Rows, row)
	}
	t.doc.Section("Rates", page.Text(
		"The rates are percent of runs. ITP: the faulty server is accused. IFP: a healthy server is accused. DTP: the fault is named correctly. DFP: a wrong fault is named. "+
			"95 % confidence intervals (Wilson) are in brackets. ITP and DTP count only runs with a fault. “Observable” leaves out packet loss in the direction in which the workload sends no data (paper F10, section 11). "+
			"The figures of the paper (F10) are means of its four clusters."), table)
}

// papers returns the rates of F10 for a group, as means of its clusters; NaN: F10 has none.
func papers(p *Published, group string) Rates {
	mean := unknown()
	n := float64(len(p.Testbench))
	switch group {
	case "F10's faults, observable":
		mean[itp], mean[dtp] = 0, 0
		for _, c := range p.Testbench {
			mean[itp] += c.Observable.ITP / n
			mean[dtp] += c.Observable.DTP / n
		}
	case "F10's faults":
		mean = Rates{}
		for _, c := range p.Testbench {
			for rate, v := range c.Aggregate {
				mean[rate] += v / n
			}
		}
	}
	return mean
}

// row returns the rates of some runs as a row of a table, and adds them to the figures.
func (t *experimentsReport) row(name string, has func(*ExperimentsOutcome) bool, paper Rates) ([]page.Cell, int) {
	rates := t.r.rates(has)
	n := rates[ifp].All
	row := page.Cells(name, fmt.Sprint(n))
	for rate, share := range rates {
		low, high := share.Interval()
		f := Figure{Subject: name, Name: Rate(rate).String(), Unit: "%", Value: share.Percent(), Paper: paper[rate], N: share.All}
		if !math.IsNaN(f.Paper) {
			f.Source = "F10 §11, mean"
		}
		t.add(f)
		t.add(Figure{Subject: name, Name: f.Name + ", lower end of the interval", Unit: "%", Value: low, Paper: math.NaN(), N: share.All})
		t.add(Figure{Subject: name, Name: f.Name + ", upper end of the interval", Unit: "%", Value: high, Paper: math.NaN(), N: share.All})
		row = append(row, page.Cell{Text: within(share)})
	}
	return row, n
}

func (t *experimentsReport) byFault() {
	table := page.Table{Columns: ratesColumns("fault")}
	for _, f := range append([]testbed.Fault{testbed.None}, t.r.faults()...) {
		row, n := t.row(string(f), func(o *ExperimentsOutcome) bool { return o.Fault == f }, unknown())
		if n > 0 {
			table.Rows = append(table.Rows, row)
		}
	}
	t.doc.Section("By fault", table)
}

// faults returns the faults that the systems of the runs can have.
func (r *ExperimentsResult) faults() []testbed.Fault {
	return slices.DeleteFunc(testbed.Faults(), func(f testbed.Fault) bool {
		return !slices.ContainsFunc(r.Runs, func(o ExperimentsOutcome) bool { return o.Fault == f || slices.Contains(o.System.Faults(), f) })
	})
}

func (t *experimentsReport) onsets() {
	sum := onsetsOf(t.r.Runs)
	t.doc.Section("Onsets", page.Text(fmt.Sprintf(
		"Incidents at the faulty server: %d. Incidents that give the start time of the fault: %d. Start times that differ from the true start by at most %d s: %d (median difference: %s s). Incidents that give only an interval, which contains the true start: %d.",
		sum.known+sum.unknown, sum.known, nearSeconds, sum.near, oneDecimal(sum.median), sum.unknown)))
	note := func(name, unit string, value float64) {
		t.add(Figure{Subject: "onsets", Name: name, Unit: unit, Value: value, Paper: math.NaN(), N: sum.known + sum.unknown})
	}
	note("known", "incidents", float64(sum.known))
	note("near", "incidents", float64(sum.near))
	note("unknown", "incidents", float64(sum.unknown))
	note("median error", "s", sum.median)
}

// times adds the time until the faulty server was accused.
func (t *experimentsReport) times() {
	suspects, incidents := t.r.seconds(func(o *ExperimentsOutcome) float64 { return o.SuspectSeconds }), t.r.seconds(func(o *ExperimentsOutcome) float64 { return o.IncidentSeconds })
	if len(incidents) > 0 {
		t.add(Figure{Subject: "times", Name: "time to suspect, median", Unit: "s", Value: quantile.Median(suspects), Paper: math.NaN(), N: len(suspects)})
		t.add(Figure{Subject: "times", Name: "time to incident, median", Unit: "s", Value: quantile.Median(incidents), Paper: math.NaN(), N: len(incidents)})
		t.doc.Section("Time to a verdict", page.Text(fmt.Sprintf("Runs in which the faulty server has an incident: %d. It was a suspect after %.0f s and an incident after %.0f s (medians).",
			len(incidents), quantile.Median(suspects), quantile.Median(incidents))))
	}
}

// seconds returns the times of all runs that have one.
func (r *ExperimentsResult) seconds(of func(*ExperimentsOutcome) float64) []float64 {
	var all []float64
	for i := range r.Runs {
		if v := of(&r.Runs[i]); !math.IsNaN(v) {
			all = append(all, v)
		}
	}
	return all
}

// runColumns are the columns of a table of runs.
var runColumns = []page.Column{
	{Name: "run"},
	{Name: "volume"},
	{Name: "workload"},
	{Name: "TCP"},
	{Name: "fault"},
	{Name: "server"},
	{Name: "strength", Numeric: true},
	{Name: "accused"},
	{Name: "error of the start time, s", Numeric: true},
}

func (o *ExperimentsOutcome) cells() []page.Cell {
	onset := ""
	for _, at := range o.Onsets {
		if onset = fmt.Sprintf("%+.0f", at.Seconds); at.Unknown {
			onset = "unknown"
		}
	}
	return page.Cells(o.Run, string(o.Volume), string(o.Workload), o.Congestion, string(o.Fault), o.Server, o.Strength, o.accusations(), onset)
}

func (t *experimentsReport) wrong() {
	table := page.Table{Columns: runColumns}
	for i := range t.r.Runs {
		if o := &t.r.Runs[i]; o.wrong() {
			table.Rows = append(table.Rows, o.cells())
		}
	}
	if len(table.Rows) > 0 {
		t.doc.Section("Runs with a wrong result", table)
	}
}

// everyRun adds every run to the figures. Its table has only the right runs, because the wrong runs
// have their own table.
func (t *experimentsReport) everyRun() {
	table := page.Table{Columns: runColumns}
	for i := range t.r.Runs {
		o := &t.r.Runs[i]
		right := 1.0
		if o.wrong() {
			right = 0
		} else {
			table.Rows = append(table.Rows, o.cells())
		}
		t.add(Figure{Subject: o.Run, Condition: string(o.Fault), Name: "right", Unit: "runs", Value: right, Paper: math.NaN(), N: 1})
	}
	if len(table.Rows) > 0 {
		t.doc.Section("Runs with the right result", table)
	}
}

// within returns a share with its interval.
func within(s Share) string {
	if s.All == 0 {
		return "–"
	}
	low, high := s.Interval()
	return fmt.Sprintf("%s (%.0f–%.0f)", oneDecimal(s.Percent()), low, high)
}

// oneDecimal returns a number with one decimal; NaN: a dash.
func oneDecimal(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf("%.1f", math.Round(v*10)/10) // round first, because 80.45 has no exact float
}
