package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/page"
	"github.com/limpet-storage/limpet/report/internal/where"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/words"
)

// How many components of an incident stand out in a plot, and in how many peer
// groups it is drawn.
const (
	plottedMembers = 4
	plottedGroups  = 2
)

// overPeers draws the worst members over their peers, in the peer groups that
// most members are of, and the score of the worst against its threshold.
func (e *Evidence) overPeers(in *incident.Incident) ([]page.Block, error) {
	var blocks []page.Block
	lead := e.track(e.voice.Lead.Name)
	if lead == nil || len(lead.Ends) == 0 {
		return nil, nil
	}
	for _, members := range byGroup(e.s.System, in) {
		group := &e.s.System.Groups[e.s.System.Components[members[0]].Group-1]
		named := members[:min(len(members), plottedMembers)]
		crowd, err := e.crowd(e.asMeasured(lead.metric), group.ID-1, fmt.Sprintf("%s of %s over %d others (%s)",
			e.voice.Lead.Name, e.names(named), len(group.Members)-len(named), group.Name), named)
		if err != nil {
			return nil, err
		}
		crowd.Chart.Spans, crowd.Chart.Moments = append(spansOf(in, crowd.Chart.At), e.known(named[0])...), where.Moments(in)
		blocks = append(blocks, crowd)
		if chart, ok := e.scoreChart(lead.metric, named[0]); ok {
			blocks = append(blocks, chart)
		}
	}
	return blocks, nil
}

// byGroup parts the members of an incident by peer group, and chooses which are
// drawn: of lost paths the largest group of those that ought to be busy, and of
// those that took over; of what is slow the largest groups.
func byGroup(system *topology.System, in *incident.Incident) [][]int {
	own, heirs := map[int][]int{}, map[int][]int{}
	for _, m := range in.Members {
		c := &system.Components[m.Component]
		switch {
		case m.Role == finding.TookOver:
			heirs[c.Group] = append(heirs[c.Group], m.Component)
		case c.Priority <= 1 || m.Role != finding.Gone && m.Role != finding.Unused:
			own[c.Group] = append(own[c.Group], m.Component)
		}
	}
	if len(heirs) == 0 {
		return mostMembers(own, plottedGroups)
	}
	return slices.Concat(mostMembers(own, 1), mostMembers(heirs, 1))
}

// mostMembers lists the n groups with the most members.
func mostMembers(groups map[int][]int, n int) [][]int {
	ids := slices.SortedFunc(maps.Keys(groups), func(a, b int) int {
		return cmp.Or(cmp.Compare(len(groups[b]), len(groups[a])), cmp.Compare(a, b))
	})
	var list [][]int
	for _, id := range ids[:min(n, len(ids))] {
		list = append(list, groups[id])
	}
	return list
}

func (e *Evidence) names(components []int) string {
	var list []string
	for _, c := range components {
		list = append(list, e.s.System.Components[c].Name)
	}
	return strings.Join(list, ", ")
}

// spansOf are when an incident was, and between which times it began.
func spansOf(in *incident.Incident, at []float64) []page.Span {
	var spans []page.Span
	for _, s := range in.Spans {
		to := cmp.Or(s.To, in.Last)
		spans = append(spans, page.Span{Label: string(in.Kind), Role: page.Spell, From: float64(s.From), To: float64(max(to, s.From))})
	}
	if in.Onset.Earlier {
		return spans
	}
	return append(spans, began(in, at))
}

// known are the marks on a component.
func (e *Evidence) known(component int) []page.Span {
	var spans []page.Span
	for _, m := range e.marks {
		if slices.Contains(m.Names, e.s.System.Components[component].Name) {
			spans = append(spans, page.Span{Label: m.Label, Role: page.Suspect, From: float64(m.From), To: float64(m.To)})
		}
	}
	return spans
}

// scoreChart shows the score of a component against its threshold; false where it
// has none.
func (e *Evidence) scoreChart(m, component int) (page.Chart, bool) {
	c := &e.s.System.Components[component]
	b := e.boards[boardKey{m, c.Group - 1}]
	if b == nil {
		return page.Chart{}, false
	}
	at := slices.Index(b.members, component)
	if !slices.ContainsFunc(b.scores.Series(at), func(v float64) bool { return v > 0 }) {
		return page.Chart{}, false
	}
	return page.Chart{
		Title: fmt.Sprintf("Distance of %s from its peers, against the threshold", c.Name),
		X:     page.Axis{Scale: page.Time}, Y: page.Axis{Label: "distance", Scale: page.Log}, At: b.scores.At(),
		Series: []page.Series{
			{Name: c.Name, Role: page.Suspect, Values: b.scores.Series(at)},
			{Name: "threshold", Role: page.Threshold, Values: b.thresholds.Series(at), Step: true},
		},
		Spans: e.known(component),
	}, true
}

// metricByMetric draws each metric that speaks for or against an incident over
// its peers, what decides first, with the onset marked.
func (e *Evidence) metricByMetric(in *incident.Incident) ([]page.Block, error) {
	shown := slices.Clone(in.Evidence)
	says := make([]string, 0, len(shown))
	for i := range shown {
		says = append(says, map[bool]string{true: "decides", false: "differs as well"}[shown[i].Decides])
	}
	for i := range in.RuledOut {
		if r := &in.RuledOut[i]; r.Evidence != nil {
			shown, says = append(shown, *r.Evidence), append(says, fmt.Sprintf("would speak for %s", r.Kind))
		}
	}
	var plots []page.Block
	for i := range shown {
		ev := &shown[i]
		drawn := slices.ContainsFunc(shown[:i], func(o finding.Evidence) bool { return o.Metric == ev.Metric && o.Component == ev.Component })
		v, kept := e.asTold(ev)
		if drawn || !kept || len(v.at) == 0 {
			continue
		}
		c := &e.s.System.Components[ev.Component]
		title := fmt.Sprintf("%s of %s over its %d peers: %s", ev.Metric, c.Name, len(e.s.System.Groups[c.Group-1].Members)-1, says[i])
		crowd, err := e.crowd(v, c.Group-1, title, []int{ev.Component})
		if err != nil {
			return nil, err
		}
		crowd.Chart.Spans = append(e.known(ev.Component), began(in, v.at))
		plots = append(plots, crowd)
	}
	return plots, nil
}

// began marks an onset in a plot: the times between which it may have been, a
// line where that is known to the step.
func began(in *incident.Incident, at []float64) page.Span {
	first, last := at[0], at[len(at)-1]
	within := func(t int64) float64 { return min(max(float64(t), first), last) }
	o := in.Onset
	if o.Earlier {
		return page.Span{Label: fmt.Sprintf("%s when the data began", in.Kind), Role: page.Onset, From: min(float64(o.At), first), To: first}
	}
	return page.Span{Label: "onset", Role: page.Onset, From: within(min(o.Early, o.At)), To: within(max(o.Late, o.At))}
}

// track finds what was kept of a metric; nil where nothing was.
func (e *Evidence) track(name string) *track {
	return e.tracks[metric.Index(e.s.Schema.Metrics, name)]
}

// view is a metric as a plot shows it.
type view struct {
	axis   page.Axis
	at     []float64
	values func(component int) []float64
}

// asMeasured shows a metric in its own unit.
func (e *Evidence) asMeasured(m int) view {
	of, t := e.s.Schema.Metrics[m], e.tracks[m]
	axis := page.Axis{Label: of.Name, Unit: of.Unit}
	if of.Ratio() {
		axis.Scale = page.Log
	}
	return view{axis, t.At(), t.of}
}

// asTold shows the metric of evidence in the unit of its words: throughput in
// megabytes, segments that were sent again as a share of all. It reports false
// where the rows for that were not kept.
func (e *Evidence) asTold(ev *finding.Evidence) (view, bool) {
	t := e.track(ev.Metric)
	if t == nil || ev.Component < 0 {
		return view{}, false
	}
	v := e.asMeasured(t.metric)
	if ev.Unit == v.axis.Unit {
		factor, unit := words.Scale(ev.Unit)
		v.axis.Unit = unit
		v.values = func(c int) []float64 {
			values := t.of(c)
			for i := range values {
				values[i] *= factor
			}
			return values
		}
		return v, true
	}
	arrived := e.track(map[string]string{metric.RetrOut.Name: metric.DlvOut.Name, metric.RetrIn.Name: metric.DlvIn.Name}[ev.Metric])
	if arrived == nil {
		return view{}, false
	}
	v.axis.Unit = ev.Unit
	v.values = func(c int) []float64 {
		again, arrived := t.of(c), arrived.of(c)
		for i := range again { // where none was sent there is no share
			again[i] = 100 * again[i] / (again[i] + arrived[i])
		}
		return again
	}
	return v, true
}

// crowd draws a group as a density, with some of its members over it.
func (e *Evidence) crowd(v view, group int, title string, named []int) (*page.Crowd, error) {
	members := e.s.System.Groups[group].Members
	all := make([][]float64, len(members))
	for i, c := range members {
		all[i] = v.values(c)
	}
	chart := page.Chart{Title: title, X: page.Axis{Scale: page.Time}, Y: v.axis, At: v.at}
	var stand [][]float64
	for _, c := range named {
		values := v.values(c)
		chart.Series = append(chart.Series, page.Series{Name: e.s.System.Components[c].Name, Role: page.Suspect, Values: values})
		stand = append(stand, values)
	}
	chart.Y.Min, chart.Y.Max = extent(chart.Y.Scale, all, stand)
	crowd, err := page.NewCrowd(chart)
	if err != nil {
		return nil, err
	}
	for i, c := range members {
		if !slices.Contains(named, c) {
			if err := crowd.Add(all[i]); err != nil {
				return nil, err
			}
		}
	}
	return crowd, nil
}

// extent is what a plot shows of a crowd and of those that stand out from it. What one
// in a thousand values exceeds is the most that counts, so that a single spike does not
// flatten the plot; on a logarithmic axis what one in a thousand falls below is the least.
func extent(scale page.Scale, crowd, named [][]float64) (low, high float64) {
	for _, series := range append([][]float64{slices.Concat(crowd...)}, named...) {
		all := slices.DeleteFunc(slices.Clone(series), func(v float64) bool { return table.IsMissing(v) || scale == page.Log && v <= 0 })
		if len(all) == 0 {
			continue
		}
		slices.Sort(all)
		high = max(high, 1.2*all[len(all)*999/1000])
		if least := all[len(all)/1000] / 1.2; low == 0 || least < low {
			low = least
		}
	}
	if scale != page.Log {
		return 0, max(high, 1e-9)
	}
	if !(low < high) {
		return 1, 10 // nothing was measured
	}
	return low, high
}
