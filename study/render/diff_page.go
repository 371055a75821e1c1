package render

import (
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/study"
)

// DiffHTML writes a page with every figure that both results have, and with the curves of both in
// the same charts.
func DiffHTML(w io.Writer, d *Diff) error {
	p := page.New(page.Options{Title: "Slowdown study: " + d.Names[0] + " and " + d.Names[1], Subtitle: d.byChance(), Footer: "limpet study diff"})
	s := p.Section("What was compared")
	for _, text := range d.warnings() {
		s.Add(page.Warning(text))
	}
	for i, r := range d.Results {
		s.Add(page.Text(d.Names[i] + ": " + subject(r.Findings) + ", " + span(r.Findings) + "."))
	}
	s.Add(page.Text("The verdict “no difference beyond chance” means that chance alone can explain the difference. The confidence interval of a difference assumes that the two results are independent. Two periods of the same fleet are more alike than two independent fleets, so the confidence intervals of their differences are a little too wide."))
	if all := d.table(func(c *Change) bool { return c.Differ() }); len(all.Rows) > 0 {
		p.Section("What differs", all)
	}
	for _, part := range d.Results[0].Parts {
		d.part(p, part)
	}
	return p.Write(w)
}

// part adds a section about one kind of drives: all figures that both results have, and then for
// each question the confidence intervals and the curves.
func (d *Diff) part(p *page.Page, a *study.Part) {
	b := d.other(a)
	if b == nil {
		return
	}
	mine := func(c *Change) bool { return c.Direction == a.Direction && c.Kind == a.Kind }
	s := p.Section(capital(noun(a)), d.table(mine))
	var cases *page.Cases
	for _, t := range topics() {
		of := func(c *Change) bool { return mine(c) && t.has(c.Name) }
		blocks := d.intervals(of)
		for _, c := range t.charts(a) {
			if both := d.overlaid(&c, t.charts(b)); both != nil {
				blocks = append(blocks, chart(both))
			}
		}
		if len(blocks) == 0 {
			continue
		}
		if cases == nil {
			cases = s.Cases("Findings about " + noun(a))
		}
		differ, judged := d.differing(of)
		cases.Add(t.name, fmt.Sprintf("%d of %s differ by more than chance can explain", differ, count(int64(judged), "finding")), blocks...)
	}
}

// other returns the part of the second result with the same direction and kind; nil: none.
func (d *Diff) other(a *study.Part) *study.Part {
	for _, b := range d.Results[1].Parts {
		if a.Direction == b.Direction && a.Kind == b.Kind {
			return b
		}
	}
	return nil
}

func (d *Diff) table(has func(*Change) bool) page.Table {
	t := page.Table{Cards: true, Columns: []page.Column{
		{Name: "finding"}, {Name: d.Names[0]}, {Name: d.Names[1]}, {Name: "difference"}, {Name: "verdict"},
	}}
	for i := range d.Changes {
		c := &d.Changes[i]
		if !has(c) {
			continue
		}
		verdict := page.Cell{Text: string(c.Verdict)}
		switch {
		case c.Differ():
			verdict.Role = page.Suspect
		case c.Verdict == Chance:
			verdict.Text = "chance"
		case c.Verdict == Unsure:
			verdict.Text = "the two values cannot be compared, because " + c.Reason
		}
		row := page.Cells("… "+c.Phrase, withInterval(c.Values[0]), withInterval(c.Values[1]), withInterval(c.Difference))
		t.Rows = append(t.Rows, append(row, verdict))
	}
	return t
}

// intervals draws the shares of both results with their confidence intervals.
func (d *Diff) intervals(has func(*Change) bool) []page.Block {
	var b bars
	for i := range d.Changes {
		c := &d.Changes[i]
		if !has(c) {
			continue
		}
		for k, name := range d.Names {
			v := c.Values[k]
			v.T16 = nil
			b.Add(label(c.Name)+", "+name, v)
		}
	}
	return b.Block(nil)
}

// mostCurves is the largest number of curves in each of two charts that are drawn over each
// other: a reader can distinguish twice as many.
const mostCurves = 4

// overlaid returns a chart with the curves of both results; nil if there are too many curves, or
// if only one result has the chart.
func (d *Diff) overlaid(c *study.Chart, others []study.Chart) *study.Chart {
	for _, other := range others {
		if other.Title != c.Title || len(c.Curves) > mostCurves || len(other.Curves) > mostCurves {
			continue
		}
		both := *c
		both.Curves = nil
		for i, of := range []*study.Chart{c, &other} {
			for _, curve := range of.Curves {
				curve.Name += ", " + d.Names[i]
				both.Curves = append(both.Curves, curve)
			}
		}
		return &both
	}
	return nil
}
