package evaluate

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/report/page"
)

// Report returns the results, with L13 Tables 4 to 9.
func (r *IntrepidResult) Report(p *Published) *Report {
	t := &intrepidReport{r: r, published: p}
	o := &r.Options
	t.doc = page.New(page.Options{
		Title: "Intrepid, simulated",
		Subtitle: fmt.Sprintf("%d events of the paper L13, simulated (seed %d) and diagnosed from await. Each run starts a day before the start of the event and ends two days after the start of the event.",
			len(r.Events), o.System.Seed),
		Footer: "limpet evaluate intrepid",
	})
	t.doc.Section("How to read this", page.Text(fmt.Sprintf(
		"A simulated operator reads hourly lists of %d lines (paper L13, section 5.1). The accumulator of a component counts the time windows in which the component is suspect. The operator checks the first component of a list if the accumulator of this component exceeds %d, "+
			"or if the accumulators of at least %d LUNs of the same controller or server add up to more than this number. An event counts as seen when a list first leads the operator to a component that is affected by the event. "+
			"The events of the paper (L13) happened on a real storage system and were judged by people. These runs are simulated.",
		o.Operator.Lines, o.Operator.Persistent, o.Operator.Together)))
	t.observed()
	t.later()
	t.events()
	t.scores()
	return &Report{Page: t.doc, Figures: t.all}
}

type intrepidReport struct {
	r         *IntrepidResult
	published *Published
	all       []Figure
	doc       *page.Page
}

func (t *intrepidReport) add(f Figure) {
	f.Study, f.System = "intrepid", "intrepid"
	if math.IsNaN(f.Paper) {
		f.Source = ""
	}
	t.all = append(t.all, f)
}

// row returns the row of the paper for a category. It is empty if the paper has none, or has other
// events than ours.
func (t *intrepidReport) row(category string) PublishedEvents {
	_, of := t.r.Observed(category, "")
	for _, row := range t.published.Intrepid {
		if row.Category == category && row.Observed["cdf"] == of {
			return row
		}
	}
	return PublishedEvents{}
}

// observed adds Table 8.
func (t *intrepidReport) observed() {
	table := page.Table{Columns: []page.Column{{Name: "kind of event"}, {Name: "events", Numeric: true}}}
	for _, m := range t.r.Options.Measures {
		table.Columns = append(table.Columns, page.Column{Name: m, Numeric: true}, page.Column{Name: "paper", Numeric: true})
	}
	totals := map[string]float64{}
	for _, category := range t.r.categories(t.published) {
		_, of := t.r.Observed(category, "")
		row := page.Cells(category, fmt.Sprint(of))
		for _, m := range t.r.Options.Measures {
			seen, _ := t.r.Observed(category, m)
			paper := math.NaN()
			if n, ok := t.row(category).Observed[m]; ok {
				paper = float64(n)
			}
			totals[m] += paper
			t.add(Figure{Method: m, Subject: category, Name: "seen", Unit: "events", Value: float64(seen), Paper: paper, Source: "L13 Table 8", N: of})
			row = append(row, page.Cells(fmt.Sprint(seen), fixed(paper, 0))...)
		}
		table.Rows = append(table.Rows, row)
	}
	row := page.Cells("all", fmt.Sprint(len(t.r.Events)))
	for _, m := range t.r.Options.Measures {
		seen, of := t.r.Observed("", m)
		t.add(Figure{Method: m, Subject: "all", Name: "seen", Unit: "events", Value: float64(seen), Paper: totals[m], Source: "L13 Table 8", N: of})
		row = append(row, page.Cells(fmt.Sprint(seen), fixed(totals[m], 0))...)
	}
	table.Rows = append(table.Rows, row)
	section := t.doc.Section("Events seen (paper L13, Table 8)", table)
	if text := t.otherThanThePaper(); text != "" {
		section.Add(page.Text("Number of events that differ from the paper (L13): " + text + "."))
	}
}

// otherThanThePaper returns a text with the counts that differ from the paper.
func (t *intrepidReport) otherThanThePaper() string {
	var texts []string
	for _, f := range t.all {
		if d := f.difference(); f.Name == "seen" && f.Subject != "all" && !math.IsNaN(d) && d != 0 {
			texts = append(texts, fmt.Sprintf("%s with measure %s: %+.0f", f.Subject, f.Method, d))
		}
	}
	return strings.Join(texts, ", ")
}

// whole reports whether the events are exactly the events of the paper.
func (t *intrepidReport) whole() bool {
	for _, category := range t.r.categories(t.published) {
		if t.row(category).Category == "" {
			return false
		}
	}
	return len(t.r.Events) == len(t.published.Latencies)
}

// later adds Table 9.
func (t *intrepidReport) later() {
	table := page.Table{Columns: []page.Column{{Name: "kind of event"}}}
	var others []string
	for _, m := range t.r.Options.Measures {
		if m != "cdf" {
			others = append(others, m)
			table.Columns = append(table.Columns, page.Column{Name: m}, page.Column{Name: "paper"})
		}
	}
	if len(others) == 0 || len(others) == len(t.r.Options.Measures) {
		return
	}
	theirs := map[string][]float64{}
	for _, category := range t.r.categories(t.published) {
		row := page.Cells(category)
		for _, m := range others {
			paper := t.row(category).Later[m]
			theirs[m] = append(theirs[m], paper...)
			row = append(row, page.Cells(list(t.r.Later(category, m)), list(paper))...)
		}
		table.Rows = append(table.Rows, row)
	}
	if !t.whole() {
		clear(theirs)
	}
	for _, sum := range []struct {
		name string
		of   func([]float64) float64
	}{{"mean", mean}, {"median", medianOf}} {
		row := page.Cells(sum.name)
		for _, m := range others {
			ours := t.r.Later("", m)
			f := Figure{Method: m, Subject: "all", Name: sum.name + " delay compared with cdf", Unit: "h", Value: sum.of(ours), Paper: sum.of(theirs[m]), Source: "L13 Table 9", N: len(ours)}
			t.add(f)
			row = append(row, page.Cells(fixed(f.Value, 1), fixed(f.Paper, 1))...)
		}
		table.Rows = append(table.Rows, row)
	}
	t.doc.Section("How many hours later events were seen than with measure cdf (paper L13, Table 9)", page.Text("Only events that were seen with both measures are compared. A negative number means that the event was seen earlier with this measure than with cdf."), table)
}

// events adds Tables 4 to 7: every event, and the hours until it was seen.
func (t *intrepidReport) events() {
	table := page.Table{Columns: []page.Column{{Name: "start (UTC)"}, {Name: "device"}, {Name: "kind of event"}, {Name: "paper, h", Numeric: true}}}
	dots := page.Dots{Title: "Hours until an event was seen", X: page.Axis{Label: "time from the start of the event", Unit: "h", Scale: page.Log}}
	paper := page.DotSeries{Name: "paper (cdf), measured", Role: page.Suspect, Ring: true}
	for _, m := range t.r.Options.Measures {
		table.Columns = append(table.Columns, page.Column{Name: m + ", h", Numeric: true}, page.Column{Name: "peak (largest accumulator)", Numeric: true})
		dots.Series = append(dots.Series, page.DotSeries{Name: m + ", simulated"})
	}
	for _, e := range t.r.Events {
		at := e.At.UTC().Format("2006-01-02 15:04")
		row := page.Cells(at, e.Device, e.Category, brief(e.Paper))
		dots.Rows = append(dots.Rows, at+" "+e.Device)
		paper.Values = append(paper.Values, e.Paper)
		for i, m := range t.r.Options.Measures {
			f := Figure{
				Method: m, Subject: e.Device, Condition: e.At.UTC().Format("2006-01-02T15:04Z"), Name: "time until seen", Unit: "h",
				Value: math.NaN(), Paper: math.NaN(), Source: e.Source, N: 1,
			}
			if m == "cdf" {
				f.Paper = e.Paper
			}
			if s := e.Seen[m]; s.Observed {
				f.Value = s.Hours
			}
			t.add(f)
			dots.Series[i].Values = append(dots.Series[i].Values, f.Value)
			row = append(row, page.Cells(fixed(f.Value, 1), fmt.Sprint(e.Seen[m].Peak))...)
		}
		table.Rows = append(table.Rows, row)
	}
	dots.Series = append(dots.Series, paper)
	t.doc.Section("Hours until each event was seen (paper L13, Tables 4 to 7)",
		page.Text("The peak is the highest accumulator of a component that is affected by the event. Each window in which the component differs from its peers adds 1 to the accumulator, and every other window subtracts 1."), table, dots)
}

// scores adds the other components that the measures listed.
func (t *intrepidReport) scores() {
	section := t.doc.Section("False checks and false alarms in the lists", page.Text(
		"These numbers are for all events together. A check without result is a check of a component that is not affected by the event. "+
			"Precision, recall and MCC (Matthews correlation coefficient) are for windows of single paths (a LUN through one server). "+
			"The columns “alarms” show the number of false alarms per 1,000 days of a healthy path. An alarm is counted when an accumulator reaches the given number."))
	table := page.Table{Columns: []page.Column{
		{Name: "measure"},
		{Name: "checks without result", Numeric: true},
		{Name: "precision", Numeric: true},
		{Name: "recall", Numeric: true},
		{Name: "MCC", Numeric: true},
	}}
	for _, p := range t.r.Options.Persist {
		table.Columns = append(table.Columns, page.Column{Name: fmt.Sprintf("alarms at accumulator ≥ %d", p), Numeric: true})
	}
	dots := page.Dots{Title: "Windows of single paths", X: page.Axis{Max: 1}, Rows: t.r.Options.Measures}
	for _, f := range confusionFigures(Confusion{}, "") {
		dots.Series = append(dots.Series, page.DotSeries{Name: f.Name})
	}
	for _, m := range t.r.Options.Measures {
		s := t.r.scores(m)
		looks := 0
		for _, e := range t.r.Events {
			looks += e.Seen[m].Looks
		}
		t.add(Figure{Method: m, Subject: "all", Name: "checks without result", Unit: "checks", Value: float64(looks), Paper: math.NaN(), N: len(t.r.Events)})
		row := page.Cells(m, fmt.Sprint(looks))
		for i, f := range confusionFigures(s.Windows, "windows") {
			f.Method, f.Subject = m, "all"
			t.add(f)
			dots.Series[i].Values = append(dots.Series[i].Values, f.Value)
			row = append(row, page.Cell{Text: fixed(f.Value, 3)})
		}
		for _, v := range s.Verdicts {
			t.add(Figure{
				Method: m, Subject: "all", Condition: fmt.Sprintf("accumulator ≥ %d", v.Persist), Name: "false alarms",
				Unit: "per 1,000 healthy component-days", Value: v.FalseAlarmRate(), Paper: math.NaN(), N: v.FalseAlarms,
			})
			row = append(row, page.Cell{Text: fixed(v.FalseAlarmRate(), 1)})
		}
		table.Rows = append(table.Rows, row)
	}
	section.Add(table, dots)
}

// confusionFigures returns precision, recall and MCC as figures.
func confusionFigures(c Confusion, condition string) []Figure {
	figure := func(name string, value float64, n int) Figure {
		return Figure{Condition: condition, Name: name, Value: value, Paper: math.NaN(), N: n}
	}
	return []Figure{
		figure("precision", c.Precision(), c.TP+c.FP),
		figure("recall", c.Recall(), c.TP+c.FN),
		figure("MCC", c.MCC(), c.TP+c.FP+c.TN+c.FN),
	}
}

func list(values []float64) string {
	if len(values) == 0 {
		return "–"
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, brief(v))
	}
	return strings.Join(texts, ", ")
}
