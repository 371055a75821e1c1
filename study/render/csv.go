package render

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/limpet-storage/limpet/study"
)

// csvHeader is the header of one long table. The column record is the type of a line: "account"
// for a count of an account, "figure" for a figure, "cell" for a value of a table, "point" for
// a point of a curve, "warning" for a warning. Columns without a meaning for a line are empty.
var csvHeader = []string{
	"record", "direction", "kind", "name", "row", "column", "x", "unit", "value", "low", "high", "t16", "part", "whole", "source", "text",
}

// A csvLine holds the columns of one line.
type csvLine struct {
	record, direction, kind, name, row, column, x string
	value                                         study.Value
	part, whole                                   string
	source, text                                  string
}

func (l csvLine) fields() []string {
	v := l.value
	low, high, t16, value := "", "", "", ""
	if v.Unit != "" && !v.None {
		value = number(v.Number)
	}
	if i := v.Interval; i != nil {
		low, high = ends(i)
	}
	if v.T16 != nil {
		t16 = number(*v.T16)
	}
	return []string{l.record, l.direction, l.kind, l.name, l.row, l.column, l.x, string(v.Unit), value, low, high, t16, l.part, l.whole, l.source, l.text}
}

func ends(i *study.Interval) (low, high string) { return number(i.Low), number(i.High) }

// number writes all digits of a number, as JSON does.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// CSV writes every number of the result as one long table.
func CSV(w io.Writer, r *Result) error {
	out := csv.NewWriter(w)
	_ = out.Write(csvHeader) // the writer keeps its first error, see out.Error
	put := func(l csvLine) { _ = out.Write(l.fields()) }
	csvAccounts(put, r)
	for _, p := range r.Parts {
		csvPart(put, p)
	}
	for _, text := range r.Warnings {
		put(csvLine{record: "warning", text: text})
	}
	out.Flush()
	return out.Error()
}

func csvAccounts(put func(csvLine), r *Result) {
	count := func(direction string, l line) {
		put(csvLine{record: "account", direction: direction, name: l.name, value: study.Value{Number: float64(l.n), Unit: study.Number}, text: l.text})
	}
	for i := range r.Accounts {
		a := &r.Accounts[i]
		for _, l := range wholeAccount(a) {
			count(a.Direction, l)
		}
	}
	records := []line{{"records", r.Input.Records, "records, from which drive hours were made"}}
	for _, l := range slices.Concat(wrong(&r.Input), records, folded(&r.Input)) {
		count("", l)
	}
}

func csvPart(put func(csvLine), p *study.Part) {
	at := csvLine{direction: p.Direction, kind: p.Kind}
	for i := range p.Figures {
		f, l := &p.Figures[i], at
		l.record, l.name, l.value, l.source, l.text = "figure", f.Name, f.Value, f.Source, f.Sentence
		if f.Whole != 0 {
			l.part, l.whole = strconv.FormatInt(f.Part, 10), strconv.FormatInt(f.Whole, 10)
		}
		put(l)
	}
	for i := range p.Tables {
		t := renamedTable(p.Tables[i], keptName)
		csvTable(put, at, &t)
	}
	for i := range p.Charts {
		c := renamedChart(p.Charts[i], keptName)
		csvChart(put, at, &c)
	}
}

func csvTable(put func(csvLine), l csvLine, t *study.Table) {
	l.record, l.name, l.source = "cell", t.Name, t.Source
	for _, row := range t.Rows {
		for k, v := range row.Values {
			l.row, l.column, l.value = row.Label, column(t, 1+k), v
			put(l)
		}
	}
}

// column returns the name of a column. If another column has the same name, it puts the name of
// the previous column before it, because the column belongs to the previous one.
func column(t *study.Table, i int) string {
	name := t.Columns[i]
	if slices.Index(t.Columns, name) == i && !slices.Contains(t.Columns[i+1:], name) {
		return name
	}
	return t.Columns[i-1] + ", " + name
}

func csvChart(put func(csvLine), l csvLine, c *study.Chart) {
	l.record, l.name, l.source, l.column = "point", c.Name, c.Source, c.Y.Title
	for _, curve := range c.Curves {
		for _, p := range curve.Points {
			l.row, l.x, l.value = curve.Name, number(p.X), study.Value{Number: p.Y, Unit: study.Number}
			put(l)
		}
	}
}
