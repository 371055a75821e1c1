package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// plottedMembers is the largest number of components that stand out in a plot of an incident;
// plottedGroups is the largest number of peer groups that are drawn.
const (
	plottedMembers = 4
	plottedGroups  = 2
)

// OverPeers draws the worst members over their peers, in the peer groups with the most members, and
// the score of the worst member with its threshold.
func (k *kept) OverPeers(in *incident.Incident) ([]page.Block, error) {
	var blocks []page.Block
	lead := k.track(k.lead)
	if lead == nil || len(lead.Ends) == 0 {
		return nil, nil
	}
	for _, members := range byGroup(k.system, in) {
		group := &k.system.Groups[k.system.Components[members[0]].Group-1]
		named := members[:min(len(members), plottedMembers)]
		crowd, err := k.drawCrowd(k.asMeasured(lead.metric), group.ID-1, fmt.Sprintf("%s of %s, compared with the %d other components of peer group %s",
			k.lead, k.names(named), len(group.Members)-len(named), group.Name), named)
		if err != nil {
			return nil, err
		}
		crowd.Chart.Spans, crowd.Chart.Moments = append(spansOf(in, crowd.Chart.At), k.marksOf(named[0])...), moments(in)
		blocks = append(blocks, crowd)
		if chart, ok := k.scoreChart(lead.metric, named[0]); ok {
			blocks = append(blocks, chart)
		}
	}
	return blocks, nil
}

// byGroup divides the members of an incident by peer group, and returns the groups to draw:
//   - for lost paths, the largest group of paths that should be busy, and the largest group of
//     paths that took over;
//   - otherwise, the largest groups.
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

func (k *kept) names(components []int) string {
	var list []string
	for _, c := range components {
		list = append(list, k.system.Components[c].Name)
	}
	return strings.Join(list, ", ")
}

// spansOf returns the time spans of an incident, and the span in which it began.
func spansOf(in *incident.Incident, at []float64) []page.Span {
	var spans []page.Span
	for _, s := range in.Spans {
		to := cmp.Or(s.To, in.Last)
		spans = append(spans, page.Span{Label: sentence.KindOf(in), Role: page.Spell, From: float64(s.From), To: float64(max(to, s.From))})
	}
	if in.Onset.Earlier {
		return spans
	}
	return append(spans, began(in, at))
}

// marksOf returns the marks on a component.
func (k *kept) marksOf(component int) []page.Span {
	var spans []page.Span
	for _, m := range k.marks {
		if slices.Contains(m.Names, k.system.Components[component].Name) {
			spans = append(spans, page.Span{Label: m.Label, Role: page.Suspect, From: float64(m.From), To: float64(m.To)})
		}
	}
	return spans
}

// scoreChart shows the score of a component and its threshold. It returns false if the component
// has no score.
func (k *kept) scoreChart(m, component int) (page.Chart, bool) {
	c := &k.system.Components[component]
	b := k.boards[boardKey{m, c.Group - 1}]
	if b == nil {
		return page.Chart{}, false
	}
	at := slices.Index(b.members, component)
	if !slices.ContainsFunc(b.scores.Series(at), func(v float64) bool { return v > 0 }) {
		return page.Chart{}, false
	}
	return page.Chart{
		Title: fmt.Sprintf("How far %s is from its peers (distance), and the threshold of the distance", c.Name),
		X:     page.Axis{Scale: page.Time}, Y: page.Axis{Label: "distance", Scale: page.Log}, At: b.scores.At(),
		Series: []page.Series{
			{Name: c.Name, Role: page.Suspect, Values: b.scores.Series(at)},
			{Name: "threshold", Role: page.Threshold, Values: b.thresholds.Series(at), Step: true},
		},
		Spans: k.marksOf(component),
	}, true
}

// MetricByMetric draws each metric that is evidence for or against an incident, over its peers and
// with the onset. Metrics that decide come first.
func (k *kept) MetricByMetric(in *incident.Incident) ([]page.Block, error) {
	shown := slices.Clone(in.Evidence)
	says := make([]string, 0, len(shown))
	for i := range shown {
		says = append(says, map[bool]string{true: "decides", false: "also differs"}[shown[i].Decides])
	}
	for i := range in.RuledOut {
		if r := &in.RuledOut[i]; r.Evidence != nil {
			shown, says = append(shown, *r.Evidence), append(says, fmt.Sprintf("expected effect of %s", sentence.KindName(r.Kind)))
		}
	}
	var plots []page.Block
	for i := range shown {
		ev := &shown[i]
		drawn := slices.ContainsFunc(shown[:i], func(o finding.Evidence) bool { return o.Metric == ev.Metric && o.Component == ev.Component })
		v, kept := k.inSentenceUnit(ev)
		if drawn || !kept || len(v.at) == 0 {
			continue
		}
		c := &k.system.Components[ev.Component]
		title := fmt.Sprintf("%s of %s and of its %d peers (%s)", ev.Metric, c.Name, len(k.system.Groups[c.Group-1].Members)-1, says[i])
		crowd, err := k.drawCrowd(v, c.Group-1, title, []int{ev.Component})
		if err != nil {
			return nil, err
		}
		crowd.Chart.Spans = append(k.marksOf(ev.Component), began(in, v.at))
		plots = append(plots, crowd)
	}
	return plots, nil
}

// began returns the mark of an onset in a plot: a span from the earliest to the latest possible
// time, or a line if the onset is known to one step.
func began(in *incident.Incident, at []float64) page.Span {
	first, last := at[0], at[len(at)-1]
	within := func(t int64) float64 { return min(max(float64(t), first), last) }
	o := in.PresentOnset()
	if o.Earlier {
		return page.Span{Label: fmt.Sprintf("%s, began before the start of the data", sentence.KindOf(in)), Role: page.Onset, From: min(float64(o.At), first), To: first}
	}
	return page.Span{Label: "start of the problem", Role: page.Onset, From: within(min(o.Early, o.At)), To: within(max(o.Late, o.At))}
}
