package evaluate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/report/page"
)

// page writes the report as a page.
func (t *testbenchReport) page() {
	o := &t.r.Options
	t.doc = page.New(page.Options{
		Title: "Test bench, simulated",
		Subtitle: fmt.Sprintf("%d simulated experiments on %s for each method (seed %d, faults of strength %g%s), compared with the measured experiments of the paper F10",
			len(o.plans()), o.clusterNames(), o.Seed, o.Strength, o.atOnce()),
		Footer: "limpet evaluate testbench",
	})
	summary := t.doc.Section("Summary", page.Text(
		"The rates are percent of experiments. ITP: every faulty server is accused. IFP: a healthy server is accused. DTP: the root cause of every fault is named. "+
			"DFP: a healthy server or a wrong root cause is named. Aggregates of ITP and DTP are averages over the faults. Aggregates of IFP and DFP are averages over the faults and the control runs. "+
			"“Observable” leaves out packet loss in the direction in which the workload sends no data (paper F10, section 11). "+
			"The figures of the paper (F10) were measured on real clusters. The other figures are simulated."))
	summary.Add(t.summary(aggregate), t.summary(observable))
	if far := t.farthest(); far != nil {
		summary.Add(page.Text(fmt.Sprintf("The aggregates of method %s differ from the aggregates of the paper by at most %.1f percentage points. The largest difference is in %s on %s.",
			far.Method, math.Abs(far.difference()), far.Name, far.System)))
	}
	for _, m := range o.Methods {
		summary.Add(page.Text(t.controls(m.Name)))
		if text := t.onsets(m.Name); text != "" {
			summary.Add(page.Text(text))
		}
	}
	t.worst()
	for _, c := range o.Clusters {
		t.clusterSection(c)
	}
	t.conditions()
	for _, m := range o.Methods {
		t.wrong(m.Name)
	}
}

func (o *TestbenchOptions) atOnce() string {
	if o.Faulty == 1 {
		return ""
	}
	return fmt.Sprintf(" on %d servers at the same time", o.Faulty)
}

// controls returns in how many runs without a fault a method blamed no server.
func (t *testbenchReport) controls(method string) string {
	quiet, all := 0, 0
	for _, e := range t.r.Experiments {
		if e.Method == method && e.Fault == None {
			if all++; len(e.Indicted) == 0 {
				quiet++
			}
		}
	}
	return fmt.Sprintf("Method %s accuses no server in %d of %d control runs.", method, quiet, all)
}

// onsets returns a sentence with the error of the starts that were found for faults; empty if no
// start was found.
func (t *testbenchReport) onsets(method string) string {
	var off []float64
	for _, e := range t.r.Experiments {
		if e.Method == method {
			for _, seconds := range e.OnsetErrors {
				off = append(off, math.Abs(seconds))
			}
		}
	}
	if len(off) == 0 {
		return ""
	}
	slices.Sort(off)
	at := func(part float64) float64 { return off[int(part*float64(len(off)-1))] }
	return fmt.Sprintf("The reported start of a fault differs from its true start by %g s (median of %d faults). For 90 %% of the faults, the difference is at most %g s.", at(0.5), len(off), at(0.9))
}

func (o *TestbenchOptions) clusterNames() string {
	var names []string
	for _, c := range o.Clusters {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}

// columns returns for every rate a column for each method and a column for the paper.
func (t *testbenchReport) columns(first string) []page.Column {
	columns := []page.Column{{Name: first}}
	for rate := range numRates {
		for _, m := range t.r.Options.Methods {
			columns = append(columns, page.Column{Name: rate.String() + " " + m.Name, Numeric: true})
		}
		columns = append(columns, page.Column{Name: "paper", Numeric: true})
	}
	return columns
}

// row returns the rates of a subject: for every rate the rates of the methods, then the rate of the
// paper.
func (t *testbenchReport) row(name, cluster, subject string) []page.Cell {
	row := []page.Cell{{Text: name}}
	for rate := range numRates {
		var paper float64
		for _, m := range t.r.Options.Methods {
			f := t.find(cluster, m.Name, subject, "", rate)
			row = append(row, page.Cell{Text: fixed(f.Value, 1)})
			paper = f.Paper
		}
		row = append(row, page.Cell{Text: fixed(paper, 1)})
	}
	return row
}

func (t *testbenchReport) summary(subject string) page.Table {
	table := page.Table{Caption: strings.ToUpper(subject[:1]) + subject[1:], Columns: t.columns("cluster")}
	clusters := append(slices.Clone(t.r.Options.Clusters), testbench.Cluster{})
	for _, c := range clusters {
		name := c.String()
		if c == (testbench.Cluster{}) {
			name = everyone
		}
		table.Rows = append(table.Rows, t.row(name, name, subject))
	}
	return table
}

// farthest returns the aggregate of a cluster with the largest difference between the first method
// and the paper; nil if the paper has no aggregates.
func (t *testbenchReport) farthest() *Figure {
	var far *Figure
	for i := range t.all {
		f := &t.all[i]
		if f.Method != t.r.Options.Methods[0].Name || f.Subject != aggregate || f.System == everyone || math.IsNaN(f.difference()) {
			continue
		}
		if far == nil || math.Abs(f.difference()) > math.Abs(far.difference()) {
			far = f
		}
	}
	return far
}

// worstLines is the largest number of differences from the paper that are listed.
const worstLines = 10

// worst lists the largest differences between the first method and the paper.
func (t *testbenchReport) worst() {
	method := t.r.Options.Methods[0].Name
	var far []Figure
	for _, f := range t.all {
		if f.Method == method && f.System != everyone && math.Abs(f.difference()) >= 0.05 {
			far = append(far, f)
		}
	}
	if len(far) == 0 {
		return
	}
	slices.SortStableFunc(far, func(a, b Figure) int {
		return cmp.Compare(math.Abs(b.difference()), math.Abs(a.difference()))
	})
	table := page.Table{Columns: []page.Column{
		{Name: "cluster"},
		{Name: "fault"},
		{Name: "rate"},
		{Name: "simulated", Numeric: true},
		{Name: "paper", Numeric: true},
		{Name: "difference", Numeric: true},
	}}
	for _, f := range far[:min(len(far), worstLines)] {
		table.Rows = append(table.Rows, page.Cells(f.System, f.Subject, f.Name, fixed(f.Value, 1), fixed(f.Paper, 1), fmt.Sprintf("%+.1f", f.difference())))
	}
	t.doc.Section(fmt.Sprintf("Largest differences from the paper, method %s", method), table)
}

func (t *testbenchReport) clusterSection(c testbench.Cluster) {
	name := c.String()
	title := name
	if paper := t.published.cluster(name); paper != nil {
		title += " (" + paper.Source + ")"
	}
	section := t.doc.Section(title)
	table := page.Table{Columns: t.columns("fault")}
	for _, fault := range append(t.faults(), aggregate, observable) {
		table.Rows = append(table.Rows, t.row(fault, name, fault))
	}
	section.Add(table, t.dots(name, dtp, "Correct diagnoses"), t.dots(name, dfp, "Wrong diagnoses"))
	for _, m := range t.r.Options.Methods {
		section.Add(t.byWorkload(name, m.Name))
	}
}

// byWorkload returns the rates for each workload. The paper does not have them.
func (t *testbenchReport) byWorkload(cluster, method string) page.Table {
	table := page.Table{
		Caption: fmt.Sprintf("By workload, method %s: ITP/IFP/DTP/DFP", method),
		Columns: []page.Column{{Name: "fault"}},
	}
	for _, w := range t.r.Options.Workloads {
		table.Columns = append(table.Columns, page.Column{Name: string(w), Numeric: true})
	}
	for _, fault := range t.faults() {
		row := []page.Cell{{Text: fault}}
		for _, w := range t.r.Options.Workloads {
			var four []string
			for rate := range numRates {
				four = append(four, fixed(t.find(cluster, method, fault, string(w), rate).Value, 0))
			}
			row = append(row, page.Cell{Text: strings.Join(four, "/")})
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

func (t *testbenchReport) dots(cluster string, rate Rate, title string) page.Dots {
	d := page.Dots{Title: title, X: page.Axis{Label: rate.String(), Unit: "%", Max: 100}, Rows: t.faults()}
	paper := page.DotSeries{Name: "paper, measured", Role: page.Suspect, Ring: true}
	for i, m := range t.r.Options.Methods {
		ours := page.DotSeries{Name: m.Name + ", simulated"}
		for _, fault := range d.Rows {
			f := t.find(cluster, m.Name, fault, "", rate)
			ours.Values = append(ours.Values, f.Value)
			if i == 0 {
				paper.Values = append(paper.Values, f.Paper)
			}
		}
		d.Series = append(d.Series, ours)
	}
	d.Series = append(d.Series, paper)
	return d
}

// wrongLines is the largest number of wrong diagnoses that are listed one by one.
const wrongLines = 30

// wrong lists the wrong diagnoses of the first method, run by run.
func (t *testbenchReport) wrong(method string) {
	table := page.Table{Columns: []page.Column{{Name: "experiment"}, {Name: "actually faulty"}, {Name: "accused"}, {Name: "score and threshold"}}}
	more := 0
	for i := range t.r.Experiments {
		e := &t.r.Experiments[i]
		if e.Method != method || !e.Is(dfp) {
			continue
		}
		for j, b := range e.Indicted {
			if slices.Contains(e.Faulty, b) {
				continue
			}
			if len(table.Rows) == wrongLines {
				more++
				continue
			}
			name := fmt.Sprintf("%s %s %s %d", e.Cluster, e.Workload, e.Fault, e.Run+1)
			if e.Conditions != "" {
				name += " (" + e.Conditions + ")"
			}
			table.Rows = append(table.Rows, page.Cells(name, blames(e.Faulty), b.Server+" "+b.Cause, e.Evidence[j]))
		}
	}
	if len(table.Rows) == 0 {
		return
	}
	section := t.doc.Section("Wrong diagnoses, method "+method, table)
	if more > 0 {
		section.Add(page.Text(fmt.Sprintf("%d more wrong diagnoses are not shown.", more)))
	}
}

func blames(all []Blame) string {
	if len(all) == 0 {
		return "nobody"
	}
	var texts []string
	for _, b := range all {
		texts = append(texts, b.Server+" "+b.Cause)
	}
	return strings.Join(texts, ", ")
}
