package render

import (
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/study"
)

// A topic is a question of the study. It has the figures, tables and charts whose names begin
// with one of its prefixes.
type topic struct {
	name  string
	begin []string // prefixes
}

// worstTopic lists the worst drives by name. T16 has no such question, because its drives are
// anonymous.
const worstTopic = "Worst drives"

// topics returns all questions: those of T16 §4 in its order, and others.
func topics() []topic {
	return []topic{
		{"How slow drives are", []string{"slow-hours-", "tail-hours-", "second-tail-", "third-tail-", "four-", "five-", "three-", "exact", "slowdowns", "nines", "slowdown-cdf"}},
		{"How long drives are slow", []string{"persist-", "again-", "runs-", "returns-"}},
		{"Slow requests that the mean hides", []string{"percentile-"}},
		{worstTopic, []string{"worst-drives"}},
		{"How many drives are slow", []string{"ever", "often-", "seldom-", "repetitions-"}},
		{"Load", []string{"busy-in-", "slow-in-", "large-in-", "imbalance-in-"}},
		{"Events", []string{"complaints"}},
		{"Age and model", []string{"age", "eighth-year-", "flash", "vendor", "worst-vendor-", "model", "interface"}},
		{"Time", []string{"worst-hour-", "hour-of-day", "drift-", "months"}},
		{"Drops in the number of I/Os", []string{"fall-", "degradation"}},
		{"Unplugged drives", []string{"unplugged-", "replugged", "recur", "wait-hours"}},
		{"Parity", []string{"saved-by-", "cut-"}},
		{"Replacement", []string{"replace"}},
		{"Chance of a slow hour", []string{"hazard-"}},
		{"Other", []string{""}},
	}
}

// has reports whether the topic is the first whose prefixes match a name.
func (t topic) has(name string) bool {
	for _, other := range topics() {
		if slices.ContainsFunc(other.begin, func(b string) bool { return strings.HasPrefix(name, b) }) {
			return other.name == t.name
		}
	}
	return false
}

// figures returns the figures of a part that belong to the topic.
func (t topic) figures(p *study.Part) []*study.Figure {
	var out []*study.Figure
	for i := range p.Figures {
		if t.has(p.Figures[i].Name) {
			out = append(out, &p.Figures[i])
		}
	}
	return out
}

func (t topic) tables(p *study.Part) []study.Table {
	return slices.DeleteFunc(slices.Clone(p.Tables), func(table study.Table) bool { return !t.has(table.Name) })
}

func (t topic) charts(p *study.Part) []study.Chart {
	return joinedCharts(slices.DeleteFunc(slices.Clone(p.Charts), func(c study.Chart) bool { return !t.has(c.Name) }))
}

// headline reports whether a figure is shown on a screen: T16 has the figure, or it is at the
// main threshold, or it has no threshold.
func headline(f *study.Figure, all *study.Findings) bool {
	if f.T16 != nil {
		return true
	}
	for _, t := range all.Thresholds {
		if t != mainThreshold(all) && strings.HasSuffix(f.Name, "-"+number(t)) {
			return false
		}
	}
	return true
}

// headline returns the first sentence of the topic; if it has no figure, the title of its first
// chart or table.
func (t topic) headline(p *study.Part, all *study.Findings) string {
	if first := lead(t.figures(p), all); first != nil {
		return first.Sentence
	}
	for _, c := range t.charts(p) {
		return c.Title
	}
	for _, table := range t.tables(p) {
		return table.Title
	}
	return t.name
}

// lead returns the figure whose sentence is the headline of a topic: the first figure at the main
// threshold, or else the first figure.
func lead(figures []*study.Figure, all *study.Findings) *study.Figure {
	for _, f := range figures {
		if strings.HasSuffix(f.Name, "-"+number(mainThreshold(all))) {
			return f
		}
	}
	if len(figures) > 0 {
		return figures[0]
	}
	return nil
}
