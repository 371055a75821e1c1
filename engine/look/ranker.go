package look

import (
	"math"
	"slices"
	"time"
)

// A Ranker ranks the same components again and again, one look each time. It is meant for a screen
// that is updated. A Ranker takes values by index, and keeps names, servers and peers from one
// ranking to the next, so that a ranking takes little time. Its results are the same as the results
// of the function Rank, which is simpler. Tests compare the results of both.
type Ranker struct {
	table   table
	metrics []Metric      // in the order of compareMetrics
	order   []int         // by sorted metric: its index in the list that was passed to NewRanker
	parts   []*part       // by component, in the order that was passed to NewRanker
	groups  []rankedGroup // one for each kind, in the order of table.groups
	options Options
	results []Result
	bands   []*Band
}

// rankedGroup is a group of a Ranker, with the indexes of its components.
type rankedGroup struct {
	comparison
	components []int         // by part: its index in the components of the Ranker
	values     [][][]reading // by metric of the Ranker, by look (there is only one) and by part
}

// A Result is the result of a Ranker for one component.
type Result struct {
	Mark       Mark
	Times      float64  // ratio to the peers in the metric in which the component is farthest from its peers; NaN if the component was not compared
	Deviations float64  // distance from the peers (logarithm of Times), in standard deviations of the peers
	Metric     Metric   // the metric of Times
	Reasons    []Reason // reasons that could explain Times
}

// Values are the values of one metric, by component.
type Values struct {
	X        []float64 // NaN if unknown
	Requests []float64 // numbers of requests over which X are means; nil if unknown
}

// NewRanker returns a ranker of components. From the given samples it uses only the names, the kinds
// and the servers.
func NewRanker(components []Sample, metrics []Metric, o Options) *Ranker {
	r := &Ranker{options: o, metrics: slices.SortedFunc(slices.Values(metrics), compareMetrics)}
	for _, m := range r.metrics {
		r.order = append(r.order, slices.Index(metrics, m))
	}
	r.table.looks, r.table.times = 1, make([]time.Time, 1)
	named := make([]Sample, len(components))
	for i := range components {
		named[i] = Sample{Component: components[i].Component, Kind: components[i].Kind, Host: components[i].Host}
	}
	r.parts = r.table.register([]Look{{Samples: named}}, []int{0})
	r.groups = make([]rankedGroup, len(r.table.groups))
	r.bands = make([]*Band, len(r.groups))
	r.results = make([]Result, len(components))
	groups := make(map[*group]*rankedGroup, len(r.groups))
	for i, g := range r.table.groups {
		at := &r.groups[i]
		*at = rankedGroup{comparison: comparison{group: g, table: &r.table, options: o}, components: make([]int, len(g.parts))}
		for range r.metrics {
			at.values = append(at.values, noReadings(1, len(g.parts)))
		}
		g.metrics, g.tools, g.values = nil, make([]string, len(r.metrics)), nil
		groups[g] = at
	}
	for i, p := range r.parts {
		groups[p.group].components[p.index] = i
	}
	return r
}

// Kinds returns the kinds of the components, in the order of the result `bands` of [Ranker.Rank].
func (r *Ranker) Kinds() (list []string) {
	for _, g := range r.table.groups {
		list = append(list, g.kind)
	}
	return list
}

// Rank compares the components of a look, and returns a result for each of them. The parameter
// `values` has one entry for each metric, in the order of the metrics that were passed to
// NewRanker. The result `bands` has the usual range of the values for each kind. An entry is nil if
// the components of this kind were not compared. The next call overwrites the slices `results` and
// `bands`, but not the reasons and the Band values to which their elements point.
func (r *Ranker) Rank(values []Values) (results []Result, bands []*Band) {
	tests := 0
	for i := range r.groups {
		tests += r.groups[i].take(r, values)
	}
	for i := range r.groups {
		g := &r.groups[i]
		g.level, g.tests = r.options.FalseMarks/float64(max(tests, 1)), tests
		g.decide()
		if r.bands[i] = nil; len(g.out.Bands) > 0 {
			r.bands[i] = &g.out.Bands[0]
		}
		for k := range g.parts {
			p, result := &g.parts[k], Result{Times: math.NaN(), Deviations: math.NaN()}
			result.Mark, result.Reasons = p.Mark, p.Reasons
			if len(p.Measures) > 0 {
				m := &p.Measures[0]
				result.Times, result.Deviations, result.Metric = m.Times, m.Deviations, m.Metric
			}
			r.results[g.components[k]] = result
		}
	}
	return r.results, r.bands
}

// take copies the values of the components of a group, and returns the number of comparisons in the
// group. The group gets only metrics for which at least one component has a value.
func (g *rankedGroup) take(r *Ranker, values []Values) (tests int) {
	g.group.metrics, g.group.values = g.group.metrics[:0], g.group.values[:0]
	for m := range r.metrics {
		from, to, known := &values[r.order[m]], g.values[m][0], false
		for k, i := range g.components {
			v := reading{x: from.X[i]}
			if from.Requests != nil {
				v.requests = from.Requests[i]
			}
			if v.x >= 0 && !math.IsInf(v.x, 0) {
				known = true
			} else {
				v.x = math.NaN()
			}
			to[k] = v
		}
		if known {
			g.group.metrics = append(g.group.metrics, r.metrics[m])
			g.group.values = append(g.group.values, g.values[m])
		}
	}
	return len(g.group.parts) * len(g.group.decidingMetrics())
}
