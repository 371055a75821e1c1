package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/report/page"
)

// page writes the report as a page.
func (s *sweepReport) page() {
	o := &s.r.Options
	s.doc = page.New(page.Options{
		Title: "How the settings of the algorithm of the paper F10 change the results (simulated)",
		Subtitle: fmt.Sprintf("%d simulated experiments on %s (seed %d, faults of strength %g), diagnosed with method f10. One setting is changed at a time",
			len(o.plans()), o.clusterNames(), o.Seed, o.Strength),
		Footer: "limpet evaluate testbench --sweep",
	})
	s.summary()
	for i := range s.sweeps {
		s.setting(&s.sweeps[i])
	}
}

func (s *sweepReport) summary() {
	section := s.doc.Section("Summary", page.Text(
		"The rates are percent of experiments. ITP: every faulty server is accused. IFP: a healthy server is accused. DTP: the root cause of every fault is named. "+
			"DFP: a healthy server or a wrong root cause is named. Each rate is the average over the clusters. "+
			"For all values of a setting, the same runs are diagnosed, with thresholds from the same training runs. "+
			"The figures of the paper (F10) were measured on real clusters. The other figures are simulated. "+
			fmt.Sprintf("If the result of one experiment changes, a rate changes by up to %.2g percentage points.", s.grain())))
	if text := s.partial(); text != "" {
		section.Add(page.Warning(text))
	}
	section.Add(s.ranges())
}

// grain returns by how many percentage points one experiment changes ITP and DTP. IFP and DFP
// change by less, because they count control runs, too.
func (s *sweepReport) grain() float64 {
	plans := s.r.Options.plans()
	faulty := slices.DeleteFunc(slices.Clone(plans), func(p plan) bool { return p.fault == testbench.None })
	if len(faulty) == 0 {
		faulty = plans
	}
	return 100 / float64(len(faulty))
}

// partial returns a warning if the experiments of the paper differ from ours; empty: they are the
// same.
func (s *sweepReport) partial() string {
	o, paper := &s.r.Options, DefaultTestbench()
	var of []string
	for _, part := range []struct {
		name string
		same bool
	}{
		{"clusters", sameSet(o.Clusters, paper.Clusters)},
		{"workloads", sameSet(o.Workloads, paper.Workloads)},
		{"faults", sameSet(o.Faults, paper.Faults)},
	} {
		if !part.same {
			of = append(of, part.name)
		}
	}
	if len(of) == 0 {
		return ""
	}
	return fmt.Sprintf("The paper used other %s than this sweep: compare only how the rates change, or run the sweep with all values of the paper.", strings.Join(of, ", "))
}

// sameSet reports whether a and b have the same elements. Neither may have an element twice.
func sameSet[T comparable](a, b []T) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(v T) bool { return !slices.Contains(b, v) })
}

// ranges returns a table of the lowest and the highest rate over the values of each setting.
func (s *sweepReport) ranges() page.Table {
	table := page.Table{
		Caption: "The lowest and the highest rate over all values of a setting, in percent of experiments",
		Columns: []page.Column{{Name: "setting"}, {Name: "from", Numeric: true}, {Name: "to", Numeric: true}, {Name: "in the paper F10", Numeric: true}},
	}
	for rate := range numRates {
		table.Columns = append(table.Columns, page.Column{Name: rate.String(), Numeric: true})
	}
	for i := range s.sweeps {
		w := &s.sweeps[i]
		row := page.Cells(w.Name, number(w.Values[0]), number(w.Values[len(w.Values)-1]), number(w.own()))
		for rate := range numRates {
			row = append(row, page.Cell{Text: extent(line(w.ours, rate))})
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// extent returns the smallest and the largest of some numbers as a text.
func extent(values []float64) string {
	low, high := fixed(slices.Min(values), 1), fixed(slices.Max(values), 1)
	if low == high {
		return low
	}
	return low + " to " + high
}

func (s *sweepReport) setting(w *sweep) {
	section := s.doc.Section(w.Name + ": " + w.What)
	if w.paper.Note != "" {
		section.Add(page.Text(w.paper.Source + ": " + w.paper.Note + "."))
	}
	section.Add(w.table(), w.chart())
}

// ownMark marks the value that F10 uses.
const ownMark = " (F10)"

func (w *sweep) table() page.Table {
	table := page.Table{Columns: []page.Column{{Name: w.axis()}}}
	for rate := range numRates {
		table.Columns = append(table.Columns, page.Column{Name: rate.String(), Numeric: true})
		if w.hasPaper(rate) {
			table.Columns = append(table.Columns, page.Column{Name: "paper", Numeric: true})
		}
	}
	for i := range w.Values {
		table.Rows = append(table.Rows, w.row(i))
	}
	return table
}

func (w *sweep) row(i int) []page.Cell {
	row := page.Cells(number(w.Values[i]))
	if w.Values[i] == w.own() {
		row[0] = page.Cell{Text: row[0].Text + ownMark, Role: page.Suspect}
	}
	for rate := range numRates {
		row = append(row, page.Cell{Text: fixed(w.ours[i][rate], 1)})
		if w.hasPaper(rate) {
			row = append(row, page.Cell{Text: fixed(w.theirs[i][rate], 1)})
		}
	}
	return row
}

// hasPaper reports whether the paper has the rate at any of the values.
func (w *sweep) hasPaper(rate Rate) bool {
	return slices.ContainsFunc(w.theirs, func(r Rates) bool { return !math.IsNaN(r[rate]) })
}

// axis returns the setting with its unit.
func (w *sweep) axis() string {
	if w.Unit == "" {
		return w.Name
	}
	return w.Name + ", " + w.Unit
}

// chart has a line for each of our rates, and the rates of the paper if it has any.
func (w *sweep) chart() page.Chart {
	c := page.Chart{
		Title: fmt.Sprintf("Rates by %s; the value in the paper F10 is %s", w.Name, strings.TrimSpace(number(w.own())+" "+w.Unit)),
		X:     page.Axis{Label: w.Name, Unit: w.Unit},
		Y:     page.Axis{Label: "experiments", Unit: "%", Max: 100},
		At:    w.Values,
	}
	for rate := range numRates {
		c.Series = append(c.Series, page.Series{Name: rate.String(), Values: line(w.ours, rate)})
		if w.hasPaper(rate) {
			c.Series = append(c.Series, page.Series{Name: rate.String() + ", paper", Role: page.Suspect, Values: line(w.theirs, rate)})
		}
	}
	return c
}

// line returns one rate at every value.
func line(all []Rates, rate Rate) []float64 {
	var values []float64
	for _, rates := range all {
		values = append(values, rates[rate])
	}
	return values
}
