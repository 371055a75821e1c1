package replay

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/raid/policy"
	"github.com/limpet-storage/limpet/report/page"
)

// WritePage writes the result as an HTML page, with the plots of T16's Figure 12.
func (res *Result) WritePage(w io.Writer) error {
	doc := page.New(page.Options{
		Title:    "RAID with slow drives: how long readers wait",
		Subtitle: res.subtitle(),
		Footer:   "limpet raid replay",
	})
	section := doc.Section("Latency", page.Text(
		"The table shows how long readers waited, in milliseconds. “Fault-free” is the normal mode without slow drives. "+
			"“Extra reads” are additional reads of drives, as a share of the reads in normal mode. “Bypassed” counts how often a request did not wait for a drive with its data, because the other drives of the stripe answered first."))
	for _, text := range res.Warnings {
		section.Add(page.Warning(text + "."))
	}
	section.Add(res.latencies(), res.extras())
	doc.Section("Slowdown", page.Text(
		"The table shows how many times longer each read took than the same read of the trace without slow drives. "+
			"With a policy that leaves out the slowest drive, a read can even be faster than without slow drives. "+
			"Sequential reads are slowed down most, because an extra read moves the arm of another disk away from its own sequential reads."),
		res.slowdownTable(), res.cdf(), res.rest())
	doc.Section("Bypassed drives", page.Text("The table shows, for each drive, how many requests finished without waiting for this drive."), res.bypassed())
	doc.Section("Policies", res.policies())
	return doc.Write(w)
}

func (res *Result) latencies() page.Table {
	t := page.Table{Columns: res.columns("policy")}
	for _, name := range []string{"p99.9 / fault-free p99.9", "extra reads", "bypassed"} {
		t.Columns = append(t.Columns, page.Column{Name: name, Numeric: true})
	}
	for i, r := range res.rows() {
		row := page.Cells(res.name(i))
		for _, q := range quantiles {
			row = append(row, page.Cell{Text: millis(r.Latency(q.share))})
		}
		row = append(row, page.Cells(ratio(r.Against(res.FaultFree, tail)), percent(r.Extra()), fmt.Sprint(sum(r.Counters.Bypassed)))...)
		t.Rows = append(t.Rows, row)
	}
	return t
}

// policies returns the table of the policies with all their settings.
func (res *Result) policies() page.Table {
	t := page.Table{Columns: []page.Column{{Name: "policy"}, {Name: "policy with its settings"}}}
	for _, r := range res.Runs {
		t.Rows = append(t.Rows, page.Cells(string(r.Policy.Kind), r.Policy.String()))
	}
	return t
}

func (res *Result) columns(first string) []page.Column {
	columns := []page.Column{{Name: first}}
	for _, q := range quantiles {
		columns = append(columns, page.Column{Name: q.name, Numeric: true})
	}
	return columns
}

// extras returns the plot of the extra reads of each policy.
func (res *Result) extras() page.Dots {
	d := page.Dots{Title: "Extra reads of each policy, in percent of the reads in normal mode", X: page.Axis{Label: "extra reads", Unit: "%"}}
	var values []float64
	for _, r := range res.Runs {
		d.Rows = append(d.Rows, string(r.Policy.Kind))
		values = append(values, 100*r.Extra())
	}
	d.Series = []page.DotSeries{{Name: "extra reads", Values: values}}
	return d
}

func (res *Result) slowdownTable() page.Table {
	t := page.Table{Columns: res.columns("policy")}
	for _, r := range res.Runs {
		row := page.Cells(string(r.Policy.Kind))
		for _, x := range r.slowdowns(res.FaultFree) {
			row = append(row, page.Cell{Text: ratio(x)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// cdf returns Figure 12: the share of the reads with at most this slowdown. It shows the upper
// part, in which policies differ.
func (res *Result) cdf() page.Chart {
	return res.chart("Share of reads with at most this slowdown (Figure 12 of the paper T16)",
		page.Axis{Label: "reads", Unit: "%", Min: 95, Max: 100},
		func(share float64) float64 { return 100 * share })
}

// rest returns 1 − cdf on a logarithmic scale, which shows the slowest reads.
func (res *Result) rest() page.Chart {
	return res.chart("Share of reads with more than this slowdown",
		page.Axis{Label: "reads", Unit: "%", Scale: page.Log},
		func(share float64) float64 {
			if share == 1 {
				return math.NaN()
			}
			return 100 * (1 - share)
		})
}

// points is the number of points of a line.
const points = 240

// chart draws a line for each policy, for slowdowns from 0.5 to the largest slowdown.
func (res *Result) chart(title string, y page.Axis, of func(share float64) float64) page.Chart {
	all := make([][]float64, len(res.Runs))
	greatest := 10.0
	for i, r := range res.Runs {
		all[i] = r.Slowdowns(res.FaultFree)
		if n := len(all[i]); n > 0 {
			greatest = max(greatest, all[i][n-1])
		}
	}
	c := page.Chart{Title: title, X: page.Axis{Label: "slowdown", Scale: page.Log}, Y: y}
	for i := range points {
		c.At = append(c.At, 0.5*math.Pow(greatest/0.5, float64(i)/(points-1)))
	}
	for i, r := range res.Runs {
		s := page.Series{Name: string(r.Policy.Kind), Role: role(r.Policy.Kind), Step: true}
		for _, x := range c.At {
			s.Values = append(s.Values, of(upTo(all[i], x)))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// role draws normal, the baseline, in a pale colour, and hedge in a strong colour. So no two lines
// have the same colour, and the lines of reactive and adaptive, which run close together, have
// different colours.
func role(kind policy.Kind) page.Role {
	switch kind {
	case policy.Normal:
		return page.Peer
	case policy.Hedge:
		return page.Suspect
	}
	return page.Plain
}

// upTo returns the share of the sorted values that do not exceed x.
func upTo(sorted []float64, x float64) float64 {
	n, _ := slices.BinarySearchFunc(sorted, x, func(v, x float64) int {
		if v <= x {
			return -1
		}
		return 1
	})
	return float64(n) / float64(max(len(sorted), 1))
}

func (res *Result) bypassed() page.Table {
	t := page.Table{Columns: []page.Column{{Name: "policy"}}}
	for m := range res.Options.Layout.Data { // without parity members, which no read wants
		t.Columns = append(t.Columns, page.Column{Name: fmt.Sprint("drive ", m), Numeric: true})
	}
	for _, r := range res.Runs {
		row := page.Cells(string(r.Policy.Kind))
		for _, n := range r.Counters.Bypassed[:res.Options.Layout.Data] {
			row = append(row, page.Cell{Text: fmt.Sprint(n)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
