package evaluate

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/report/page"
)

// Report writes how the results change if a threshold is halved, and if it is doubled.
func (r *SensitivityResult) Report(*Published) *Report {
	out := &Report{Page: page.New(page.Options{
		Title:    "Results with doubled and with halved thresholds",
		Subtitle: fmt.Sprintf("%d thresholds, tested on %d simulated runs", len(r.Options.Bounds), r.runs()),
		Footer:   "limpet evaluate sensitivity",
	})}
	out.Page.Section("How to read this", page.Text(
		"Each threshold is halved and doubled, one at a time. If a threshold is a ratio (times), its logarithm is halved and doubled. If a threshold is a share p, its odds p / (1 − p) are halved and doubled. All variants diagnose the same simulated runs. "+
			"Thresholds for components are tested on storage systems like the system of the supercomputer Intrepid. Thresholds for symptoms, start times and clock differences are tested on the test bench of the paper F10. Shared thresholds are tested on both. "+
			"A cell shows each number that changed, and in brackets the same number with default thresholds. These numbers are: faults found with the right kind, wrong incidents, and the median time from the fault to the incident."))
	table := page.Table{Columns: []page.Column{
		{Name: "threshold"}, {Name: "default", Numeric: true}, {Name: "half", Numeric: true}, {Name: "result with half"}, {Name: "double", Numeric: true}, {Name: "result with double"},
	}}
	for i := 0; i+1 < len(r.Variants); i += 2 {
		half, double := &r.Variants[i], &r.Variants[i+1]
		table.Rows = append(table.Rows, page.Cells(half.Bound, short(half.Before), short(half.After), half.changes(&r.Usual), short(double.After), double.changes(&r.Usual)))
		out.Figures = append(out.Figures, figuresOf(half, &r.Usual)...)
		out.Figures = append(out.Figures, figuresOf(double, &r.Usual)...)
	}
	out.Page.Section("Thresholds", page.Text("With the default thresholds: "+strings.Join([]string{
		"components: " + r.Usual[onIncidents].words(), "test bench: " + r.Usual[onTestbench].words(),
	}, "; ")+"."), table)
	return out
}

func (r *SensitivityResult) runs() int {
	return len(r.Options.Incidents.trials(&Published{})) + len(r.Options.Testbench.plans())
}

// short returns a number with enough digits to distinguish it from its half and its double.
func short(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// words returns the counts as part of a sentence.
func (c *Counts) words() string {
	return fmt.Sprintf("%d of %d faults found, %d wrong incidents, median time from the fault to the incident %s", c.Found, c.Faults, c.False, clock(medianOf(c.Latencies)))
}

// changes returns the differences from the counts with the default bounds.
func (v *Variant) changes(usual *[numRunKinds]Counts) string {
	if v.Refused {
		return "not possible"
	}
	var all []string
	for k := range numRunKinds {
		if concerns(v.Bound, k) {
			all = append(all, v.Of[k].differences(&usual[k], k)...)
		}
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

func (c *Counts) differences(usual *Counts, k runKind) (all []string) {
	if c.Found != usual.Found {
		all = append(all, fmt.Sprintf("%s: %d faults found (%d with the default thresholds)", k, c.Found, usual.Found))
	}
	if c.False != usual.False {
		all = append(all, fmt.Sprintf("%s: %d wrong incidents (%d with the default thresholds)", k, c.False, usual.False))
	}
	was, is := medianOf(usual.Latencies), medianOf(c.Latencies)
	if was != is && !(math.IsNaN(was) && math.IsNaN(is)) {
		all = append(all, fmt.Sprintf("%s: median time from the fault to the incident %s (%s with the default thresholds)", k, clock(is), clock(was)))
	}
	return all
}

// figuresOf returns the counts of a variant. The counts with the default bounds stand in the place
// of the paper's figures.
func figuresOf(v *Variant, usual *[numRunKinds]Counts) []Figure {
	var all []Figure
	for k := range numRunKinds {
		if v.Refused || !concerns(v.Bound, k) {
			continue
		}
		add := func(name, unit string, value, was float64, n int) {
			all = append(all, Figure{
				Study: "sensitivity", System: k.String(), Method: "default", Subject: v.Bound, Condition: fmt.Sprintf("%s to %s", v.Direction, short(v.After)),
				Name: name, Unit: unit, Value: value, Paper: was, Source: "default thresholds", N: n,
			})
		}
		is, was := &v.Of[k], &usual[k]
		add("faults found with the right kind", "faults", float64(is.Found), float64(was.Found), is.Faults)
		add("wrong incidents", "incidents", float64(is.False), float64(was.False), is.Faults)
		add("median time from the fault to the incident", "s", medianOf(is.Latencies), medianOf(was.Latencies), len(is.Latencies))
	}
	return all
}
