package evaluate

import (
	"math"

	"github.com/limpet-storage/limpet/report/page"
)

// Names of the rows and the system with averages.
const (
	aggregate  = "aggregate"
	observable = "observable"
	everyone   = "all clusters"
)

// Report writes the rates, with the rates of the papers.
func (r *TestbenchResult) Report(p *Published) *Report {
	t := &testbenchReport{r: r, published: p}
	t.figures()
	t.page()
	return &Report{Page: t.doc, Figures: t.all}
}

type testbenchReport struct {
	r         *TestbenchResult
	published *Published
	all       []Figure
	doc       *page.Page
}

// add adds the rates of some experiments to the figures.
func (t *testbenchReport) add(cluster, method, fault, workload string, ours, paper Rates, n int, source string) {
	for rate := range numRates {
		f := Figure{
			Study: "testbench", System: cluster, Method: method, Subject: fault, Condition: workload,
			Name: rate.String(), Unit: "%", Value: ours[rate], Paper: paper[rate], N: n,
		}
		if !math.IsNaN(f.Paper) {
			f.Source = source
		}
		t.all = append(t.all, f)
	}
}

func (t *testbenchReport) figures() {
	for _, m := range t.r.Options.Methods {
		for _, c := range t.r.Options.Clusters {
			t.cluster(c.String(), m.Name)
		}
		t.everyone(m.Name)
	}
}

// cluster adds the figures of one of Tables 2 to 5 to the figures, and the same figures for each
// workload.
func (t *testbenchReport) cluster(cluster, method string) {
	paper := t.published.cluster(cluster)
	source := ""
	theirs, theirsSeen := unknown(), unknown()
	if paper != nil {
		source = paper.Source
		theirs = paper.Aggregate
		theirsSeen[itp], theirsSeen[dtp] = paper.Observable.ITP, paper.Observable.DTP
	}
	rows := map[string]Rates{}
	of := func(e *Experiment) bool { return e.Cluster == cluster && e.Method == method }
	total := 0
	for _, fault := range t.faults() {
		for _, w := range t.r.Options.Workloads {
			ours, n := ratesOf(t.r.Experiments, func(e *Experiment) bool {
				return of(e) && e.Fault == fault && e.Workload == string(w)
			})
			t.add(cluster, method, fault, string(w), ours, unknown(), n, "")
		}
		ours, n := ratesOf(t.r.Experiments, func(e *Experiment) bool { return of(e) && e.Fault == fault })
		rows[fault] = ours
		total += n
		t.add(cluster, method, fault, "", ours, paper.rates(fault), n, source)
	}
	t.add(cluster, method, aggregate, "", aggregateRates(rows), theirs, total, source)
	ours, n := ratesOf(t.r.Experiments, func(e *Experiment) bool { return of(e) && observableFaults(e.Fault, e.Workload) })
	t.add(cluster, method, observable, "", ours, theirsSeen, n, "F10 §11")
}

// everyone adds the averages over all clusters to the figures.
func (t *testbenchReport) everyone(method string) {
	for _, subject := range []string{aggregate, observable} {
		ours, paper := unknown(), unknown()
		n := 0
		for rate := range numRates {
			var own, theirs []float64
			n = 0
			for _, c := range t.r.Options.Clusters {
				f := t.find(c.String(), method, subject, "", rate)
				own, theirs = append(own, f.Value), append(theirs, f.Paper)
				n += f.N
			}
			ours[rate], paper[rate] = mean(own), mean(theirs)
		}
		t.add(everyone, method, subject, "", ours, paper, n, "F10 §11, mean")
	}
}

// mean returns the mean of the values; NaN if one of them is NaN.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func (t *testbenchReport) faults() []string {
	var names []string
	for _, f := range t.r.Options.Faults {
		names = append(names, plan{fault: f}.faultName())
	}
	return names
}

// find returns the figure of these settings, or a figure with the value NaN if there is none.
func (t *testbenchReport) find(cluster, method, subject, condition string, rate Rate) Figure {
	for _, f := range t.all {
		if f.System == cluster && f.Method == method && f.Subject == subject && f.Condition == condition && f.Name == rate.String() {
			return f
		}
	}
	return Figure{Value: math.NaN(), Paper: math.NaN()}
}
