package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/report/page"
)

// MakeUnkind chooses options under which the conditions of every run are drawn, on clusters that
// were made for such runs. The only method is ours: F10's algorithm is compared with the paper, and
// the paper has no such conditions.
func (o *TestbenchOptions) MakeUnkind() {
	ours, _ := IndictingMethod("default")
	o.Unkind, o.Clusters, o.Methods = true, testbench.UnkindClusters(), []Method{ours}
}

// conditions shows the rates under each condition that was drawn.
func (t *testbenchReport) conditions() {
	if !t.r.Options.Unkind {
		return
	}
	columns := []page.Column{{Name: "condition of the runs"}, {Name: "method"}, {Name: "faults", Numeric: true}}
	for rate := range numRates {
		columns = append(columns, page.Column{Name: rate.String(), Numeric: true})
	}
	table := page.Table{Columns: append(columns, page.Column{Name: "control runs with an accused server", Numeric: true})}
	for _, m := range t.r.Options.Methods {
		for _, c := range t.drawn() {
			table.Rows = append(table.Rows, t.underCondition(m.Name, c))
		}
	}
	t.doc.Section("By condition, observable faults", table)
}

// drawn returns the conditions of all runs, each condition once.
func (t *testbenchReport) drawn() []string {
	var all []string
	for i := range t.r.Experiments {
		all = append(all, single(&t.r.Experiments[i])...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// single returns the conditions of a run one by one, with any share of a hot file as "a hot file".
func single(e *Experiment) []string {
	parts := strings.Split(e.Conditions, ", ")
	for i, p := range parts {
		if strings.Contains(p, "%") {
			parts[i] = "a hot file"
		}
	}
	return parts
}

func (t *testbenchReport) underCondition(method, condition string) []page.Cell {
	of := func(e *Experiment) bool { return e.Method == method && slices.Contains(single(e), condition) }
	rates, n := ratesOf(t.r.Experiments, func(e *Experiment) bool {
		return of(e) && e.Fault != None && observableFaults(e.Fault, e.Workload)
	})
	accused, controls := ratesOf(t.r.Experiments, func(e *Experiment) bool { return of(e) && e.Fault == None })
	row := page.Cells(condition, method, fmt.Sprint(n))
	for _, r := range rates {
		row = append(row, page.Cell{Text: fmt.Sprintf("%.1f", r)})
	}
	wrong := 0
	if controls > 0 {
		wrong = int(accused[ifp]*float64(controls)/100 + 0.5)
	}
	return append(row, page.Cell{Text: fmt.Sprintf("%d of %d", wrong, controls)})
}
