package render

import (
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/study"
)

// A topic is a question of the study. Figures, tables and charts belong to it
// by the begin of their names.
type topic struct {
	name  string
	begin []string
}

// worstTopic names drives. It is no question of T16's, whose drives nobody could go
// and look at.
const worstTopic = "Worst drives"

// topics are all questions in the order of T16 §4, then those beyond it.
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
		{"I/Os that groups lose", []string{"fall-", "degradation"}},
		{"Unplugged drives", []string{"unplugged-", "replugged", "recur", "wait-hours"}},
		{"Parity", []string{"saved-by-", "cut-"}},
		{"Replacement", []string{"replace"}},
		{"Chance of a slow hour", []string{"hazard-"}},
		{"Other", []string{""}},
	}
}

// has reports whether the topic is the first that a name belongs to.
func (t topic) has(name string) bool {
	for _, other := range topics() {
		if slices.ContainsFunc(other.begin, func(b string) bool { return strings.HasPrefix(name, b) }) {
			return other.name == t.name
		}
	}
	return false
}

// figures of a part that belong to the topic.
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
	return joinedPoints(slices.DeleteFunc(slices.Clone(p.Charts), func(c study.Chart) bool { return !t.has(c.Name) }))
}

// headline says whether a figure belongs on a screen: T16 has it, or it is at
// the main threshold, or at none.
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

// headline is the topic in a sentence, or, where nothing is said of it, what it
// is shown by.
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

// lead is the figure that a topic is announced by: the first at the main
// threshold.
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
