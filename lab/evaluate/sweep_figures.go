package evaluate

import (
	"math"

	"github.com/limpet-storage/limpet/report/page"
)

// Report writes the rates at every value of a setting, with the rates of the paper.
func (r *SweepResult) Report(p *Published) *Report {
	s := &sweepReport{r: r, published: p}
	for i := range r.Options.Settings {
		s.sweeps = append(s.sweeps, s.sweep(&r.Options.Settings[i]))
	}
	s.page()
	return &Report{Page: s.doc, Figures: s.all}
}

type sweepReport struct {
	r         *SweepResult
	published *Published
	sweeps    []sweep
	all       []Figure
	doc       *page.Page
}

// A sweep has the results of one setting: the rates at each of its values.
type sweep struct {
	*Setting
	paper        PublishedSetting
	ours, theirs []Rates
}

func (s *sweepReport) sweep(of *Setting) sweep {
	out := sweep{Setting: of, paper: s.published.setting(of.Name)}
	for _, value := range of.Values {
		theirs := out.paper.at(value)
		out.ours = append(out.ours, s.value(of, value, theirs, out.paper.Source))
		out.theirs = append(out.theirs, theirs)
	}
	return out
}

// value adds the aggregates of every cluster at a value to the figures, and returns their mean. The
// paper reports this mean.
func (s *sweepReport) value(of *Setting, value float64, paper Rates, source string) Rates {
	method := of.variant(s.r.Options.Methods[0], value).Name
	experiments := s.r.Experiments[method]
	var clusters []Rates
	for _, c := range s.r.Options.Clusters {
		rates, n := aggregateOf(experiments, c.String())
		s.add(c.String(), of, value, rates, unknown(), "", n)
		clusters = append(clusters, rates)
	}
	ours := meanRates(clusters)
	s.add(everyone, of, value, ours, paper, source, len(experiments))
	return ours
}

func (s *sweepReport) add(cluster string, of *Setting, value float64, ours, paper Rates, source string, n int) {
	for rate := range numRates {
		f := Figure{
			Study: "sweep", System: cluster, Method: s.r.Options.Methods[0].Name, Subject: of.Name, Condition: number(value),
			Name: rate.String(), Unit: "%", Value: ours[rate], Paper: paper[rate], N: n,
		}
		if !math.IsNaN(f.Paper) {
			f.Source = source
		}
		s.all = append(s.all, f)
	}
}

// aggregateOf returns the last row of the table of a cluster.
func aggregateOf(experiments []Experiment, cluster string) (Rates, int) {
	rows := map[string]Rates{}
	total := 0
	for i := range experiments {
		fault := experiments[i].Fault
		if _, done := rows[fault]; done {
			continue
		}
		rates, n := ratesOf(experiments, func(e *Experiment) bool { return e.Cluster == cluster && e.Fault == fault })
		rows[fault] = rates
		total += n
	}
	return aggregateRates(rows), total
}

func meanRates(all []Rates) Rates {
	var out Rates
	for rate := range numRates {
		var values []float64
		for _, r := range all {
			values = append(values, r[rate])
		}
		out[rate] = mean(values)
	}
	return out
}
