package evaluate

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/report/page"
)

// Report shows how well components without peers are judged by their own past.
func (r *PastResult) Report() *Report {
	t := &pastReport{r: r}
	t.doc = page.New(page.Options{
		Title:    fmt.Sprintf("%s: each component compared with its own past, without its peers", r.System),
		Subtitle: fmt.Sprintf("%d components and %d days with data. Each component is diagnosed alone or in a pair, once as recorded and once with all its latencies multiplied by the same factor.", r.Components, r.Days),
		Footer:   "limpet evaluate past",
	})
	t.faults("alone", "One component alone", r.Alone)
	t.faults("pair", "One of two components", r.Pairs)
	t.healthy()
	return &Report{Page: t.doc, Figures: t.all}
}

type pastReport struct {
	r   *PastResult
	all []Figure
	doc *page.Page
}

func (t *pastReport) add(condition, subject, name, unit string, value float64, n int) {
	t.all = append(t.all, Figure{Study: "past", System: t.r.System, Condition: condition, Subject: subject, Name: name, Unit: unit, Value: value, Paper: math.NaN(), N: n})
}

// faults shows how many of the components that were made slower are found.
func (t *pastReport) faults(condition, title string, list []PastFault) {
	table := page.Table{Columns: []page.Column{
		{Name: "slowdown"},
		{Name: "runs", Numeric: true},
		{Name: "found on the same day", Numeric: true},
		{Name: "found in 24 h of data", Numeric: true},
		{Name: "became an incident in 24 h of data", Numeric: true},
		{Name: "median time from the fault to the incident", Numeric: true},
		{Name: "wrong component named", Numeric: true},
	}}
	for i := range list {
		f := &list[i]
		subject := fmt.Sprintf("%g times", f.Slower)
		for _, x := range []struct {
			name string
			n    int
		}{{"found on the same day", f.SameDay}, {"found", f.Suspects}, {"incidents", f.Incidents}, {"wrong component", f.Wrong}} {
			t.add(condition, subject, x.name, "runs", float64(x.n), f.Runs)
		}
		t.add(condition, subject, "median time from the fault to the incident", "s", f.medianSeconds(), f.Incidents)
		table.Rows = append(table.Rows, page.Cells(subject, fmt.Sprint(f.Runs), share(f.SameDay, f.Runs), share(f.Suspects, f.Runs), share(f.Incidents, f.Runs), clock(f.medianSeconds()), fmt.Sprint(f.Wrong)))
	}
	t.doc.Section(title, page.Text("In each run, all latencies of one component are multiplied by the slowdown, from a random day on. A run ends after 24 hours of data, or at the end of the data."), table)
}

func share(n, all int) string { return fmt.Sprintf("%d (%s %%)", n, fixed(100*ratio(n, all), 1)) }

// healthy shows the incidents of components that were not made slower.
func (t *pastReport) healthy() {
	h := &t.r.Healthy
	t.add("as recorded", "", "suspects", "components", float64(h.Suspects), h.Runs)
	t.add("as recorded", "", "incidents", "components", float64(h.Incidents), h.Runs)
	t.add("as recorded", "", "incidents expected by chance", "components", h.AllowedIncidents, h.Runs)
	text := fmt.Sprintf("%d components were diagnosed alone for %s days of data in all. Components that became suspects: %d. Components with an incident: %d. Incidents expected by chance in this time: %s. A drive that really became slower is counted here too.",
		h.Runs, fixed(h.ComponentDays, 0), h.Suspects, h.Incidents, fixed(h.AllowedIncidents, 1))
	if len(h.IncidentsOf) > 0 {
		text += " Incidents: " + strings.Join(h.IncidentsOf, "; ") + "."
	}
	t.doc.Section("Components as they were recorded", page.Text(text))
}
