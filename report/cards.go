package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/report/sentence"
)

// plottedCases is the largest number of incidents with plots. With plots for all incidents, a page
// with a hundred incidents would be too large for a browser.
const plottedCases = 40

// incidents adds to a page the verdict, a card for each incident, the table of suspects, and the
// plots of when and where components limped.
func (e *Evidence) incidents(p *page.Page, s *Summary) error {
	all := e.chosen(s)
	result := e.standing(s, all)
	blocks := []page.Block{page.Text(result.Verdict)}
	for _, text := range result.doubtsBeside() {
		blocks = append(blocks, page.Warning(text))
	}
	first := p.Section("Limping components", blocks...)
	var sections []*page.Section
	if len(all) > 0 {
		cases := first.Cases("Incidents")
		for i := range all {
			c, err := e.card(cases, &all[i], i < plottedCases)
			if err != nil {
				return err
			}
			sections = append(sections, &c.Section)
		}
	}
	if len(s.Suspects) > 0 {
		p.Section(sentence.Suspected.String(), e.suspects(s))
	}
	if len(all) > 0 {
		add(p, e.s.System, &s.Summary, all, sections, e.plots.Slowest())
	}
	return nil
}

func (e *Evidence) card(cases *page.Cases, in *incident.Incident, plots bool) (*page.Case, error) {
	blocks, err := e.cardBlocks(in, plots)
	if err != nil {
		return nil, err
	}
	c := cases.Add(sentence.PlaceNames(in), e.sentences.Headline(in)+".", blocks...)
	c.State, c.Role = strings.ToLower(sentence.SectionOf(in).String()), roleOf(in)
	c.Facts = []string{sentence.Placed(in), sentence.KindOf(in), e.sentences.When(in)}
	if in.ID != "" {
		c.Facts = append(c.Facts, in.ID)
	}
	return c, nil
}

// cardBlocks returns the blocks of an incident's card: its meaning, the reasons, tables and plots
// of each detector with the next steps in between, and the comments of operators.
func (e *Evidence) cardBlocks(in *incident.Incident, plots bool) ([]page.Block, error) {
	blocks := []page.Block{page.Text(sentence.Meaning(in.Kind))}
	say := func(lines ...string) {
		if len(lines) > 0 {
			blocks = append(blocks, page.Text(english.Sentence(strings.Join(lines, "; "))))
		}
	}
	for i, part := range in.Parts() {
		if i > 0 {
			say("Also: " + e.sentences.Headline(part))
		}
		say(e.sentences.BecauseOfPart(part, in)...)
		for _, x := range slices.Concat(e.sentences.RuledOut(part), e.sentences.NotChecked(part)) {
			say(x.String())
		}
		if next := e.sentences.Next(in); i == 0 && len(next) > 0 {
			blocks = append(blocks, nextTable(next))
		}
		shown, err := e.shown(part, plots)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, shown...)
	}
	for _, c := range in.Comments {
		say(fmt.Sprintf("%s: %q", e.sentences.Time(c.Time), c.Text))
	}
	return blocks, nil
}

// nextTable returns the table of next steps, with the commands that limpet suggests and has not
// run.
func nextTable(list []sentence.Step) page.Table {
	var rows [][]string
	for _, n := range list {
		row := []string{n.Text, n.Command, n.Guard}
		if n.Command == "" && n.Guard != "" { // the guard ends the sentence
			row = []string{n.String(), "", "no"}
		}
		rows = append(rows, row)
	}
	t := tableOf("Suggested commands (limpet has not run them)", []string{"what", "command", "does the redundancy allow this?"}, rows)
	t.Cards = true
	return t
}

// shown returns the tables and plots of one detector's result.
func (e *Evidence) shown(in *incident.Incident, plots bool) ([]page.Block, error) {
	var blocks []page.Block
	if rows := e.evidenceRows(in); len(rows) > 0 {
		t := tableOf("Each metric, in the time window in which its score is farthest above its threshold", evidenceColumns, rows)
		for i := range in.Evidence {
			if in.Evidence[i].Decides {
				t.Rows[i][0].Role, t.Rows[i][len(t.Rows[i])-1].Role = page.Suspect, page.Suspect
			}
		}
		blocks = append(blocks, t)
	}
	if plots {
		draw := e.plots.OverPeers
		if in.Class.IsAboutServer() {
			draw = e.plots.MetricByMetric
		}
		drawn, err := draw(in)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, drawn...)
		if !in.Class.IsAboutServer() {
			requests, err := e.plots.Requests(in)
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, requests...)
		}
	}
	if !in.Class.IsAboutServer() && len(in.Members) > 0 {
		caption := fmt.Sprintf("Components with this problem: %d", len(in.Members))
		if len(in.Members) > memberLines {
			caption += fmt.Sprintf(" (the first %d are listed)", memberLines)
		}
		blocks = append(blocks, tableOf(caption, memberColumns, e.memberRows(in, memberLines)))
	}
	return blocks, nil
}

// tableOf makes a table of the rows. It leaves out a column that is empty in all rows. The name of
// a column decides whether it has numbers.
func tableOf(caption string, columns []string, rows [][]string) page.Table {
	t := page.Table{Caption: caption}
	numeric := []string{"persistence", "windows", "times slower", "at its peak", "own", "peers", "threshold", "components", "typical score", "median threshold"}
	if len(rows) > 0 {
		columns, rows = filled(columns, rows)
	}
	for _, name := range columns {
		t.Columns = append(t.Columns, page.Column{Name: name, Numeric: slices.Contains(numeric, name)})
	}
	t.Rows = make([][]page.Cell, len(rows))
	for r, row := range rows {
		for _, text := range row {
			t.Rows[r] = append(t.Rows[r], page.Cell{Text: text})
		}
	}
	return t
}

// suspects returns the table of suspects, each with the time when it would become an incident.
func (e *Evidence) suspects(s *Summary) page.Table {
	var rows [][]string
	for i := range s.Suspects {
		q := &s.Suspects[i]
		rows = append(rows, []string{e.sentences.Headline(&q.Incident), sentence.KindOf(&q.Incident), e.sentences.When(&q.Incident), e.sentences.Becomes(q)})
	}
	t := tableOf("", []string{"what", "kind", "when", "time of the incident"}, rows)
	t.Cards = true
	return t
}
