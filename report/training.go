package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/topology"
)

// WriteTraining writes the page that shows whether data were fit for training
// (L13 §4.2.1): the superimposed series of every peer group.
func (e *Evidence) WriteTraining(w io.Writer, m *persistence.Model, warnings []string) error {
	from, to := e.plots.Span()
	p := page.New(e.options("Are the data suitable for training?", "limpet train", from, to))
	first := p.Section("How to read this page", page.Text(
		"Each plot shows all components of one peer group. Darker places have more components. The data are suitable for training if no line differs clearly from its group for a long time, and if groups that are normally idle are at zero. If the data contain a fault, limpet becomes less sensitive only for the faulty component."))
	for _, text := range warnings {
		first.Add(page.Warning(text))
	}
	var rows [][]string
	var sections []*page.Section
	for _, g := range m.Groups {
		section, err := e.trained(p, &g)
		if err != nil {
			return err
		}
		sections = append(sections, section)
		name, most := largest(g.Thresholds)
		top := "0"
		if most > 0 {
			top = fmt.Sprintf("%.3g (%s)", most, name)
		}
		rows = append(rows, []string{
			g.Group, g.Metric, fmt.Sprint(len(g.Thresholds)), fmt.Sprint(g.Windows), fmt.Sprintf("%.3g", g.Typical), fmt.Sprintf("%.3g", g.Median), top,
		})
	}
	t := tableOf("", []string{"peer group", "metric", "components", "windows", "typical score", "median threshold", "largest threshold"}, rows)
	for i, section := range sections {
		t.Rows[i][0].To = section
	}
	first.Add(t)
	return p.Write(w)
}

// trained adds the section of one group: its series, with the component that
// stood out most drawn over them.
func (e *Evidence) trained(p *page.Page, g *persistence.TrainedGroup) (*page.Section, error) {
	group := slices.IndexFunc(e.s.System.Groups, func(o topology.PeerGroup) bool { return o.Name == g.Group })
	name, most := largest(g.Thresholds)
	text := fmt.Sprintf("%d components. No component differed from its peers.", len(g.Thresholds))
	var named []int
	if c, ok := e.s.System.Lookup(name); ok && most > 0 {
		named = append(named, c)
		text = fmt.Sprintf("%d components. The plot shows component %s in front of the other components. This component has the largest threshold: it differed most from its peers, or it had no values.", len(g.Thresholds), name)
	}
	m := metric.Index(e.s.Schema.Metrics, g.Metric)
	crowd, err := e.plots.Crowd(m, group, fmt.Sprintf("%s of %s", g.Metric, g.Group), named)
	if err != nil {
		return nil, err
	}
	return p.Section(fmt.Sprintf("%s: %s", g.Group, g.Metric),
		page.Text(text), crowd), nil
}

// largest returns the component with the largest threshold, and the threshold.
func largest(thresholds map[string]float64) (name string, most float64) {
	for n, t := range thresholds {
		if t > most || t == most && (name == "" || n < name) {
			name, most = n, t
		}
	}
	return name, most
}
