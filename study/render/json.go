package render

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/study"
)

// JSON writes every number of the result as JSON, which Parse reads.
func JSON(w io.Writer, r *Result) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(document(r))
}

// Parse reads a result that JSON wrote; name is its name in errors.
func Parse(name string, data []byte) (*Result, error) {
	var d wireResult
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("%s is not a result of a study: %w; write a result with limpet study --format json", name, err)
	}
	if d.Format != wireFormat {
		return nil, fmt.Errorf("%s has the format %q, not %q; write a result with limpet study --format json", name, d.Format, wireFormat)
	}
	r, err := d.result()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; write the file again with limpet study --format json", name, err)
	}
	return r, nil
}

func document(r *Result) *wireResult {
	d := &wireResult{
		Format: wireFormat, From: clock(r.From), To: clock(r.To), Level: r.Level, Thresholds: r.Thresholds,
		Input: wireInput(r.Input), Accounts: mapped(r.Accounts, wiredAccount), Warnings: r.Warnings,
	}
	for _, p := range r.Parts {
		d.Parts = append(d.Parts, wirePart{
			Direction: p.Direction, Kind: p.Kind, Groups: p.Groups, Drives: p.Drives, GroupHours: p.GroupHours, DriveHours: p.DriveHours,
			Figures: mapped(p.Figures, wiredFigure), Tables: mapped(p.Tables, wiredTable), Charts: mapped(p.Charts, wiredChart),
		})
	}
	return d
}

func (d *wireResult) result() (*Result, error) {
	const hourSeconds = 3600
	f := &study.Findings{
		From: int32(d.From.Unix() / hourSeconds), To: int32(d.To.Unix() / hourSeconds), Level: d.Level, Thresholds: d.Thresholds,
		Accounts: mapped(d.Accounts, wireAccount.account), Warnings: d.Warnings,
	}
	for _, p := range d.Parts {
		for _, t := range p.Tables {
			if err := t.check(); err != nil {
				return nil, err
			}
		}
		f.Parts = append(f.Parts, &study.Part{
			Direction: p.Direction, Kind: p.Kind, Groups: p.Groups, Drives: p.Drives, GroupHours: p.GroupHours, DriveHours: p.DriveHours,
			Figures: mapped(p.Figures, wireFigure.figure), Tables: mapped(p.Tables, wireTable.table), Charts: mapped(p.Charts, wireChart.chart),
		})
	}
	return &Result{Input: Input(d.Input), Findings: f}, nil
}

// mapped applies a function to each element of a list.
func mapped[A, B any](list []A, one func(A) B) []B {
	var out []B
	for _, a := range list {
		out = append(out, one(a))
	}
	return out
}

func wiredAccount(a study.DirectionAccount) wireAccount {
	return wireAccount{a.Direction, wireRows(a.Account), a.Groups, a.Drives, a.Moved, a.GroupsOut, a.ParityOut}
}

func (a wireAccount) account() study.DirectionAccount {
	return study.DirectionAccount{
		Direction: a.Direction, Account: study.Account(a.wireRows),
		Groups: a.Groups, Drives: a.Drives, Moved: a.Moved, GroupsOut: a.GroupsOut, ParityOut: a.ParityOut,
	}
}

func wiredValue(v study.Value) wireValue {
	w := wireValue{Unit: string(v.Unit), Unsure: v.Unsure, T16: v.T16}
	if !v.None {
		w.Value = &v.Number
	}
	if i := v.Interval; i != nil {
		w.Interval = &[2]float64{i.Low, i.High}
	}
	return w
}

func (w wireValue) value() study.Value {
	v := study.Value{Unit: study.Unit(w.Unit), Unsure: w.Unsure, T16: w.T16, None: w.Value == nil}
	if w.Value != nil {
		v.Number = *w.Value
	}
	if i := w.Interval; i != nil {
		v.Interval = &study.Interval{Low: i[0], High: i[1]}
	}
	return v
}

func wiredFigure(f study.Figure) wireFigure {
	w := wireFigure{Name: f.Name, wireValue: wiredValue(f.Value), Source: f.Source, Sentence: f.Sentence}
	if f.Whole != 0 {
		w.Count = &[2]int64{f.Part, f.Whole}
	}
	return w
}

func (w wireFigure) figure() study.Figure {
	f := study.Figure{Name: w.Name, Source: w.Source, Value: w.value(), Sentence: w.Sentence}
	if w.Count != nil {
		f.Part, f.Whole = w.Count[0], w.Count[1]
	}
	return f
}

func wiredTable(t study.Table) wireTable {
	t = renamedTable(t, keptName)
	return wireTable{t.Name, t.Title, t.Source, t.Columns, mapped(t.Rows, func(r study.Row) wireRow {
		return wireRow{r.Label, mapped(r.Values, wiredValue)}
	}), t.Note}
}

func (w wireTable) table() study.Table {
	return renamedTable(study.Table{Name: w.Name, Title: w.Title, Source: w.Source, Columns: w.Columns, Note: w.Note, Rows: mapped(w.Rows, func(r wireRow) study.Row {
		return study.Row{Label: r.Label, Values: mapped(r.Values, wireValue.value)}
	})}, shownName)
}

// check returns an error if the number of values in a row does not match the number of columns.
func (w wireTable) check() error {
	for _, r := range w.Rows {
		if 1+len(r.Values) != len(w.Columns) {
			return errors.New("table " + w.Name + " has a row with the wrong number of values: " + count(int64(len(r.Values)), "value") + " and " + count(int64(len(w.Columns)), "column"))
		}
	}
	return nil
}

func wiredChart(c study.Chart) wireChart {
	c = renamedChart(c, keptName)
	return wireChart{c.Name, c.Title, c.Source, wireAxis(c.X), wireAxis(c.Y), mapped(c.Curves, func(c study.Curve) wireCurve {
		return wireCurve{c.Name, mapped(c.Points, func(p study.Point) [2]float64 { return [2]float64{p.X, p.Y} })}
	}), c.Note}
}

func (w wireChart) chart() study.Chart {
	return renamedChart(study.Chart{Name: w.Name, Title: w.Title, Source: w.Source, X: study.Axis(w.X), Y: study.Axis(w.Y), Note: w.Note, Curves: mapped(w.Curves, func(c wireCurve) study.Curve {
		return study.Curve{Name: c.Name, Points: mapped(c.Points, func(p [2]float64) study.Point { return study.Point{X: p[0], Y: p[1]} })}
	})}, shownName)
}
