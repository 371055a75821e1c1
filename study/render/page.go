package render

import (
	"io"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/study"
)

// HTML writes the whole result as one page. Disks and SSDs have separate sections; each question
// has its figures, tables and charts.
func HTML(w io.Writer, r *Result) error {
	p := page.New(page.Options{Title: "Slowdown study", Subtitle: subject(r.Findings) + ", " + span(r.Findings) + parityAside(r.Findings), Footer: "limpet study"})
	s := p.Section("What was studied")
	if len(r.Parts) == 0 {
		s.Add(page.Warning(nothing))
	}
	for _, text := range r.Warnings {
		s.Add(page.Warning(text))
	}
	s.Add(page.Text("The slowdown of a drive in an hour (S) is its mean latency divided by the median of its group. T1 to T3 are the three largest slowdowns of a group. " + exactness(r.Findings) + " " + aboutT16))
	pageAccounts(s, r)
	for _, part := range r.Parts {
		pagePart(p, part, r.Findings)
	}
	return p.Write(w)
}

func pagePart(p *page.Page, part *study.Part, all *study.Findings) {
	s := p.Section(capital(noun(part)), page.Text(english.Thousands(part.Drives)+" "+noun(part)+" in "+count(part.Groups, "group")+", "+
		count(part.GroupHours, "group hour")+", "+count(part.DriveHours, "drive hour")+"."))
	var cases *page.Cases
	for _, t := range topics() {
		blocks := topicBlocks(t, part)
		if len(blocks) == 0 {
			continue
		}
		if cases == nil {
			cases = s.Cases("Findings about " + noun(part))
		}
		cases.Add(t.name, t.headline(part, all), blocks...)
	}
}

// topicBlocks returns the figures, charts and tables of a question.
func topicBlocks(t topic, part *study.Part) []page.Block {
	var out []page.Block
	if figures := t.figures(part); len(figures) > 0 {
		out = append(out, figureTable(figures))
		var b bars
		for _, f := range figures {
			b.Add(label(f.Name), f.Value)
		}
		out = b.Block(out)
	}
	for _, c := range t.charts(part) {
		out = append(out, chart(&c))
		out = note(out, c.Note)
	}
	for _, table := range t.tables(part) {
		out = append(out, valueTable(&table))
		out = note(out, table.Note)
	}
	return out
}

func note(blocks []page.Block, text string) []page.Block {
	if text == "" {
		return blocks
	}
	return append(blocks, page.Text(text))
}

// figureTable returns a table of figures, with T16's figures next to them.
func figureTable(figures []*study.Figure) page.Table {
	t := page.Table{Cards: true, Columns: []page.Column{
		{Name: "finding"}, {Name: "this fleet", Numeric: true}, {Name: "95 % confidence interval"}, {Name: "T16", Numeric: true}, {Name: "place in the paper T16"},
	}}
	for _, f := range figures {
		t.Rows = append(t.Rows, page.Cells("… "+phrase(f), words(f.Value), why(f.Value), published(f.Value), f.Source))
	}
	return t
}

// valueTable converts a table of the findings to a table of a page.
func valueTable(t *study.Table) page.Table {
	out := page.Table{Caption: titled(t.Title, t.Source)}
	for i, name := range t.Columns {
		out.Columns = append(out.Columns, page.Column{Name: name, Numeric: i > 0})
	}
	for _, row := range t.Rows {
		cells := page.Cells(row.Label)
		for _, v := range row.Values {
			cells = append(cells, page.Cell{Text: withInterval(v)})
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}
