package report

import (
	"fmt"

	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/page"
)

// indict gives every server that is accused a section, or says why none is,
// and what limits that.
func (e *Evidence) indict(p *page.Page, s *Summary) error {
	if words := e.s.acquit(s); words != "" {
		p.Section("Servers at fault", page.Text(words))
	}
	for i := range s.Indictments {
		in := &s.Indictments[i]
		section := p.Section(e.s.sayCharge(in, s.To), e.charge(in)...)
		if i >= pageStories {
			section.Add(page.Text(fmt.Sprintf("Plots are drawn of the first %d servers.", pageStories)))
			continue
		}
		exhibits, err := e.exhibits(in)
		if err != nil {
			return err
		}
		section.Add(exhibits...)
	}
	var limits []page.Block
	for _, text := range e.s.limits(s) {
		limits = append(limits, page.Warning(text))
	}
	if limits = append(limits, remarks(s)...); len(limits) > 0 {
		p.Section("What limits this diagnosis", limits...)
	}
	return nil
}

// charge is an indictment in words and figures.
func (e *Evidence) charge(in *explain.Indictment) []page.Block {
	blocks := []page.Block{page.Text(meaning(in.Cause)), figures(in)}
	if in.Next != nil {
		blocks = append(blocks, page.Text(sentence(sayNext(in, e.s.Options.Indict))))
	}
	return blocks
}

// meaning explains a cause to somebody who reads its name for the first time.
func meaning(c explain.Cause) string {
	switch c {
	case explain.DiskHog:
		return "Its drive has more to do than those of its peers."
	case explain.DiskBusy:
		return "Its drive is slow, or has work to do that the server does not see."
	case explain.NetworkHog:
		return "Its interface carries more than those of its peers."
	case explain.PacketLoss:
		return "Segments on the way to it or from it get lost."
	}
	return fmt.Sprintf("It differs from its peers: %s.", c)
}

// figures is the table of an indictment's evidence.
func figures(in *explain.Indictment) page.Table {
	t := page.Table{
		Caption: "Each metric by the window that exceeds its threshold most",
		Columns: []page.Column{
			{Name: "metric"},
			{Name: "component"},
			{Name: "own", Numeric: true},
			{Name: "peers", Numeric: true},
			{Name: "unit"},
			{Name: "score", Numeric: true},
			{Name: "scale"},
			{Name: "threshold", Numeric: true},
			{Name: "role"},
		},
	}
	for _, e := range ordered(in) {
		t.Rows = append(t.Rows, figuresOf(in, &e))
	}
	return t
}

func figuresOf(in *explain.Indictment, e *explain.Evidence) []page.Cell {
	own, unit := legible(e.Median, e.Unit)
	peers, _ := legible(e.Peers, e.Unit)
	scale, says := e.Scale, "also"
	if scale == "" {
		scale = "distance"
	}
	row := page.Cells(e.Metric, e.Component, quantity(own, ""), quantity(peers, ""), unit,
		fmt.Sprintf("%.3g", e.Score), scale, fmt.Sprintf("%.3g", e.Threshold), says)
	if in.Cause.Decides(e.Metric) {
		row[0].Role, row[len(row)-1] = page.Suspect, page.Cell{Text: "decides", Role: page.Suspect}
	}
	return row
}

// exhibits are the plots of an indictment: its metrics, the deciding ones
// first, and that of the next best explanation.
func (e *Evidence) exhibits(in *explain.Indictment) ([]page.Block, error) {
	shown := ordered(in)
	if in.Next != nil {
		shown = append(shown, in.Next.Evidence)
	}
	var plots []page.Block
	drawn := map[[2]string]bool{}
	for i := range shown {
		ev := &shown[i]
		key := [2]string{ev.Metric, ev.Component}
		c, known := e.s.System.Lookup(ev.Component)
		v, kept := e.asTold(ev)
		if !known || !kept || drawn[key] {
			continue
		}
		drawn[key] = true
		crowd, err := e.crowd(v, e.s.System.Components[c].Group-1, e.exhibit(in, ev, c), []int{c})
		if err != nil {
			return nil, err
		}
		crowd.Chart.Spans = append(e.spans(ev.Component), began(in, v.at))
		plots = append(plots, crowd)
	}
	return plots, nil
}

// exhibit is the title of a plot: what it shows, and of what it speaks.
func (e *Evidence) exhibit(in *explain.Indictment, ev *explain.Evidence, c int) string {
	group := &e.s.System.Groups[e.s.System.Components[c].Group-1]
	title := fmt.Sprintf("%s of %s over its %d peers", ev.Metric, ev.Component, len(group.Members)-1)
	switch {
	case in.Cause.Decides(ev.Metric):
		return title + ": decides"
	case in.Next != nil && in.Next.Evidence.Metric == ev.Metric:
		return fmt.Sprintf("%s: would speak for %s", title, in.Next.Cause)
	}
	return title + ": differs, too"
}

// began marks an onset in a plot: the times between which it may have been, a
// line where that is known to the step.
func began(in *explain.Indictment, at []float64) page.Span {
	first, last := at[0], at[len(at)-1]
	within := func(t int64) float64 { return min(max(float64(t), first), last) }
	o := in.Onset
	if o.Earlier {
		return page.Span{Label: fmt.Sprintf("%s when the data began", in.Cause), Role: page.Threshold, From: min(float64(o.At), first), To: first}
	}
	return page.Span{
		Label: fmt.Sprintf("%s since %s", in.Cause, clock(o.At)), Role: page.Threshold,
		From: within(min(o.Early, o.At)), To: within(max(o.Late, o.At)),
	}
}
