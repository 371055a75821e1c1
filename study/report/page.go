package report

import (
	"io"

	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/study/finding"
	"github.com/limpet-storage/limpet/study/report/internal/draw"
	"github.com/limpet-storage/limpet/study/report/internal/say"
)

// HTML writes the whole result as one page: disks and SSDs apart, a question
// at a time, each with its figures, tables and plots.
func HTML(w io.Writer, r *Result) error {
	p := page.New(page.Options{Title: "Slowdown study", Subtitle: subject(r.Findings) + ", " + span(r.Findings) + parityAside(r.Findings), Footer: "limpet study"})
	s := p.Section("What was studied")
	if len(r.Parts) == 0 {
		s.Add(page.Warning(nothing))
	}
	for _, text := range r.Warnings {
		s.Add(page.Warning(text))
	}
	s.Add(page.Text("A drive's slowdown in an hour is its mean latency over the median of its group; T1 to T3 are the three largest of the group. " + exactness(r.Findings)))
	pageAccounts(s, r)
	for _, part := range r.Parts {
		pagePart(p, part, r.Findings)
	}
	return p.Write(w)
}

func pagePart(p *page.Page, part *finding.Part, all *finding.Findings) {
	s := p.Section(say.Capital(noun(part)), page.Text(say.Thousands(part.Drives)+" "+noun(part)+" in "+say.Count(part.Groups, "group")+", "+
		say.Count(part.GroupHours, "group hour")+", "+say.Count(part.DriveHours, "drive hour")+"."))
	var cases *page.Cases
	for _, t := range topics() {
		blocks := topicBlocks(t, part)
		if len(blocks) == 0 {
			continue
		}
		if cases == nil {
			cases = s.Cases("Questions of " + noun(part))
		}
		cases.Add(t.name, t.headline(part, all), blocks...)
	}
}

// topicBlocks are the figures, charts and tables of a question.
func topicBlocks(t topic, part *finding.Part) []page.Block {
	var out []page.Block
	if figures := t.figures(part); len(figures) > 0 {
		out = append(out, figureTable(figures))
		var b draw.Bars
		for _, f := range figures {
			b.Add(say.Label(f.Name), f.Value)
		}
		out = b.Block(out)
	}
	for _, c := range t.charts(part) {
		out = append(out, draw.Chart(&c))
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

// figureTable shows figures with T16's beside them.
func figureTable(figures []*finding.Figure) page.Table {
	t := page.Table{Cards: true, Columns: []page.Column{
		{Name: "finding"}, {Name: "here", Numeric: true}, {Name: "95 % interval"}, {Name: "T16", Numeric: true}, {Name: "in T16"},
	}}
	for _, f := range figures {
		t.Rows = append(t.Rows, page.Cells("… "+say.Phrase(f), say.Words(f.Value), say.Why(f.Value), say.Published(f.Value), f.Source))
	}
	return t
}

// valueTable shows a table of the findings.
func valueTable(t *finding.Table) page.Table {
	out := page.Table{Caption: say.Titled(t.Title, t.Source)}
	for i, name := range t.Columns {
		out.Columns = append(out.Columns, page.Column{Name: name, Numeric: i > 0})
	}
	for _, row := range t.Rows {
		cells := page.Cells(row.Label)
		for _, v := range row.Values {
			cells = append(cells, page.Cell{Text: say.WithInterval(v)})
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}
