package report

import (
	"io"

	"github.com/limpet-storage/limpet/page"
	"github.com/limpet-storage/limpet/study/finding"
)

// HTML writes the whole result as one page: disks and SSDs apart, a question
// at a time, each with its figures, tables and plots.
func HTML(w io.Writer, r *Result) error {
	p := page.New(page.Options{Title: "Slowdown study", Subtitle: subject(r.Findings) + ", " + span(r.Findings), Footer: "limpet study"})
	s := p.Section("What was studied")
	if len(r.Parts) == 0 {
		s.Add(page.Warning("No hour of any group has 3 drives at work: there is nothing to compare."))
	}
	for _, text := range r.Warnings {
		s.Add(page.Warning(text))
	}
	s.Add(page.Text("A drive's slowdown in an hour is its mean latency over the median of its group; T1 to T3 are the three largest of the group. "+exactness(r.Findings)), accountTable(r))
	for _, text := range r.Input.First {
		s.Add(page.Text(text))
	}
	for _, part := range r.Parts {
		pagePart(p, part, r.Findings)
	}
	return p.Write(w)
}

// accountTable says what became of the rows.
func accountTable(r *Result) page.Table {
	t := page.Table{Columns: []page.Column{{Name: "of"}, {Name: "number", Numeric: true}, {Name: "what"}}}
	add := func(of string, lines []line) {
		for _, l := range counts(lines) {
			t.Rows = append(t.Rows, page.Cells(of, thousands(l.n), l.text))
		}
	}
	for i := range r.Accounts {
		a := &r.Accounts[i]
		of := " of " + a.Direction + " I/O"
		if a.Direction != "all" {
			of = " of " + a.Direction
		}
		add("rows"+of, append([]line{{"", a.Rows, "read"}, {"", a.Counted, "that count"}}, leftOut(a)...))
		add("groups"+of, groupsOut(a))
	}
	add("rows", wrong(&r.Input))
	return t
}

func pagePart(p *page.Page, part *finding.Part, all *finding.Findings) {
	s := p.Section(capital(noun(part)), page.Text(thousands(part.Drives)+" "+noun(part)+" in "+counted(part.Groups, "group")+", "+
		counted(part.GroupHours, "group hour")+", "+counted(part.DriveHours, "drive hour")+"."))
	var cases *page.Cases
	for _, t := range topics() {
		blocks, first := topicBlocks(t, part), lead(t.figures(part), all)
		if len(blocks) == 0 {
			continue
		}
		if cases == nil {
			cases = s.Cases("Questions of " + noun(part))
		}
		c := cases.Add(t.name, t.name, blocks...)
		if first != nil {
			c.Title = first.Sentence
		}
	}
}

// topicBlocks are the figures, charts and tables of a question.
func topicBlocks(t topic, part *finding.Part) []page.Block {
	var out []page.Block
	if figures := t.figures(part); len(figures) > 0 {
		out = append(out, figureTable(figures))
		var b bars
		for _, f := range figures {
			b.add(f.Name, f.Value)
		}
		out = b.block(out)
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

// figureTable shows figures with T16's beside them.
func figureTable(figures []*finding.Figure) page.Table {
	t := page.Table{Columns: []page.Column{{Name: "here", Numeric: true}, {Name: "95 % interval", Numeric: true}, {Name: "T16", Numeric: true}, {Name: "finding"}, {Name: "in T16"}}}
	for _, f := range figures {
		t.Rows = append(t.Rows, page.Cells(said(f.Value), or(between(f.Unit, f.Interval)), published(f.Value), phrase(f), f.Source))
	}
	return t
}

func or(text string) string {
	if text == "" {
		return dash
	}
	return text
}

// valueTable shows a table of the findings.
func valueTable(t *finding.Table) page.Table {
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

// titled is a title and where T16 has the like.
func titled(title, source string) string {
	if source == "" {
		return title
	}
	return title + " (" + source + ")"
}
