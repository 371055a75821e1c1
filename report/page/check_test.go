package page

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// chart returns a valid chart after a change to it.
func chart(change func(*Chart)) Chart {
	c := Chart{Title: "c", At: []float64{1, 2}, Series: []Series{{Name: "s", Values: []float64{1, 2}}}}
	change(&c)
	return c
}

func heat(change func(*Heat)) Heat {
	h := Heat{Title: "h", Rows: []string{"r"}, Columns: []string{"a", "b"}, Values: [][]float64{{1, 2}}}
	change(&h)
	return h
}

func dots(change func(*Dots)) Dots {
	d := Dots{Title: "d", Rows: []string{"a", "b"}, Series: []DotSeries{{Name: "s", Values: []float64{1, 2}}}}
	change(&d)
	return d
}

func tileMap(change func(*Map)) Map {
	m := Map{Title: "m", Columns: []string{"c"}, Rows: []MapRow{{Name: "r", Tiles: []Tile{{Name: "t"}}}}}
	change(&m)
	return m
}

// lane is a timeline of one interval and one moment.
func lane(change func(*Timeline, *Interval, *Moment)) Timeline {
	line := Timeline{Title: "l", Lanes: []Lane{{Name: "a", Intervals: []Interval{{Label: "i", Begin: 1, End: 2}}, Moments: []Moment{{Label: "m", At: 1}}}}}
	change(&line, &line.Lanes[0].Intervals[0], &line.Lanes[0].Moments[0])
	return line
}

// caseOf is a list of one case with one block, of a page that is not looked at.
func caseOf(change func(*Case), blocks ...Block) *Cases {
	cases := New(Options{Title: "t"}).Section("s").Cases("cs")
	change(cases.Add("c", "headline", blocks...))
	return cases
}

func TestInvalidBlocks(t *testing.T) {
	elsewhere := New(Options{Title: "other"}).Section("Elsewhere")
	columns := []Column{{Name: "a"}}
	tests := []struct {
		name  string
		block Block
		want  string
	}{
		{"empty text", Text(" \n"), "text is empty"},
		{"empty warning", Warning(""), "text is empty"},
		{"table without columns", Table{Caption: "t"}, `table "t" has no columns`},
		{"ragged table", Table{Caption: "t", Columns: columns, Rows: [][]Cell{Cells("a"), Cells("a", "b")}}, `table "t": row 1 has 2 cells, but the header has 1`},
		{"link off the page", Table{Columns: columns, Rows: [][]Cell{{{Text: "x", To: elsewhere}}}}, `cell "x": has a link to section "Elsewhere", which is on another page`},
		{"cell of no role", Table{Columns: columns, Rows: [][]Cell{{{Role: 9}}}}, "role number 9 is unknown"},
		{"dots without rows", dots(func(d *Dots) { d.Rows = nil }), `dot plot "d": a plot without rows`},
		{"dots of times", dots(func(d *Dots) { d.X.Scale = Time }), "the values cannot be times"},
		{"dots of no scale", dots(func(d *Dots) { d.X.Scale = 7 }), "x axis: the scale 7 is unknown"},
		{"too few dots", dots(func(d *Dots) { d.Series[0].Values = nil }), `series "s" has 0 values for 2 rows`},
		{"half a bar", dots(func(d *Dots) { d.Series[0].Low = []float64{1, 2} }), "there are 2 lower ends and 0 upper ends of bars for 2 rows: give both"},
		{"a bar backwards", dots(func(d *Dots) { d.Series[0].Low, d.Series[0].High = []float64{1, 2}, []float64{nan, 1} }), "the bar of row 1 goes from 2 to 1: give the lower end first"},
		{"dots of no role", dots(func(d *Dots) { d.Series[0].Role = 9 }), "has the unknown role number 9"},
		{"no positions", chart(func(c *Chart) { c.At = nil }), `chart "c": x axis: there are no x values`},
		{"position twice", chart(func(c *Chart) { c.At = []float64{1, 1} }), "x value 1 is 1, and the x value before it is 1"},
		{"position missing", chart(func(c *Chart) { c.At = []float64{1, nan} }), "x value 1 is NaN"},
		{"logarithm of a position", chart(func(c *Chart) { c.At[0], c.X.Scale = 0, Log }), "x value 0 cannot be on a logarithmic axis"},
		{"bounded x axis", chart(func(c *Chart) { c.X.Max = 4 }), "the axis takes its range from the x values"},
		{"vertical time", chart(func(c *Chart) { c.Y.Scale = Time }), "only the x axis can show time"},
		{"reversed bounds", chart(func(c *Chart) { c.Y.Min = 3 }), "y axis: the axis goes from 3 to 0"},
		{"logarithm of a bound", chart(func(c *Chart) { c.Y = Axis{Scale: Log, Max: 3} }), "smallest value above zero"},
		{"no such scale", chart(func(c *Chart) { c.X.Scale = 7 }), "the scale 7 is unknown"},
		{"short series", chart(func(c *Chart) { c.Series[0].Values = []float64{1} }), `series "s": there are 1 values for 2 x values`},
		{"series of no role", chart(func(c *Chart) { c.Series[0].Role = -1 }), "role number -1 is unknown"},
		{"infinite level", chart(func(c *Chart) { c.Levels = []Level{{Name: "l", Value: math.Inf(1)}} }), `line "l": the value +Inf cannot be drawn`},
		{"level of no role", chart(func(c *Chart) { c.Levels = []Level{{Role: 9}} }), "role number 9 is unknown"},
		{"reversed span", chart(func(c *Chart) { c.Spans = []Span{{Label: "f", From: 2, To: 1}} }), `period "f": the period goes from 2 to 1`},
		{"span of no role", chart(func(c *Chart) { c.Spans = []Span{{Role: 9, To: 1}} }), "role number 9 is unknown"},
		{"heat without rows", heat(func(h *Heat) { h.Rows = nil }), `heat map "h": a plot without rows`},
		{"nameless row", heat(func(h *Heat) { h.Rows = []string{"r", "s"} }), "1 rows of values for 2 names"},
		{"ragged heat", heat(func(h *Heat) { h.Values[0] = []float64{1} }), `row "r" has 1 values for 2 columns`},
		{"uneven heat", heat(func(h *Heat) {
			h.X.Scale, h.Columns, h.At, h.Values[0] = Time, nil, []float64{1, 2, 4}, []float64{1, 2, 3}
		}), "the times are not evenly spaced"},
		{"logarithmic columns", heat(func(h *Heat) { h.X.Scale = Log }), "the axis cannot be logarithmic"},
		{"colours of time", heat(func(h *Heat) { h.Value.Scale = Time }), "times cannot be shown as colours"},
		{"heat too wide", heat(func(h *Heat) { h.Columns = make([]string, maxHeatSide+1) }), "browsers draw at most 16384"},
		{"times and names", heat(func(h *Heat) { h.At = []float64{1, 2} }), "give either times or names"},
		{"no such scale of columns", heat(func(h *Heat) { h.X.Scale = 7 }), "the scale 7 is unknown"},
		{"map without tiles", tileMap(func(m *Map) { m.Rows[0].Tiles[0] = Tile{} }), `map "m": a plot without tiles`},
		{"ragged map", tileMap(func(m *Map) { m.Rows[0].Tiles = append(m.Rows[0].Tiles, Tile{}) }), `row "r" has 2 tiles for 1 columns`},
		{"map of times", tileMap(func(m *Map) { m.Value.Scale = Time }), "times cannot be shown as colours"},
		{"map of no scale", tileMap(func(m *Map) { m.Value.Scale = 7 }), "value axis: the scale 7 is unknown"},
		{"map of no bound", tileMap(func(m *Map) { m.Bound = -1 }), "the threshold is -1: give a threshold above zero"},
		{"moment of a chart at no time", chart(func(c *Chart) { c.Moments = []Moment{{Label: "m", At: nan}} }), `moment "m": NaN is not a time`},
		{"tile of no role", tileMap(func(m *Map) { m.Rows[0].Tiles[0].Role = 9 }), `tile "t": role number 9 is unknown`},
		{"tile off the page", tileMap(func(m *Map) { m.Rows[0].Tiles[0].To = elsewhere }), "which is on another page"},
		{"nothing that leads somewhere", tileMap(func(m *Map) { m.Rows = append(m.Rows, MapRow{Tiles: []Tile{{Role: Suspect}}}) }), "no name"},
		{"timeline without lanes", Timeline{Title: "l"}, `timeline "l": a plot without lanes`},
		{"timeline of nothing", Timeline{Lanes: []Lane{{}}}, "the lane is empty"},
		{"reversed timeline", lane(func(l *Timeline, _ *Interval, _ *Moment) { l.Begin = 3 }), "from 3 to 0"},
		{"lane off the page", lane(func(l *Timeline, _ *Interval, _ *Moment) { l.Lanes[0].To = elsewhere }), "which is on another page"},
		{"interval off the page", lane(func(_ *Timeline, i *Interval, _ *Moment) { i.To = elsewhere }), `interval "i": has a link`},
		{"moment off the page", lane(func(_ *Timeline, _ *Interval, m *Moment) { m.To = elsewhere }), `moment "m": has a link`},
		{"reversed interval", lane(func(_ *Timeline, i *Interval, _ *Moment) { i.Begin = 3 }), "from 3 to 2"},
		{"interval without an end", lane(func(_ *Timeline, i *Interval, _ *Moment) { i.End = nan }), "from 1 to NaN"},
		{"began too early", lane(func(_ *Timeline, i *Interval, _ *Moment) { i.Early, i.Late = 2, 3 }), "begins at 1, which must be between 2 and 3"},
		{"began at no time", lane(func(_ *Timeline, i *Interval, _ *Moment) { i.Late = math.Inf(1) }), "give finite times"},
		{"interval of no role", lane(func(_ *Timeline, i *Interval, _ *Moment) { i.Role = 9 }), "role number 9 is unknown"},
		{"moment of no role", lane(func(_ *Timeline, _ *Interval, m *Moment) { m.Role = 9 }), "role number 9 is unknown"},
		{"moment at no time", lane(func(_ *Timeline, _ *Interval, m *Moment) { m.At = nan }), "NaN is not a time"},
		{"no cases", &Cases{Label: "cs"}, `the list of cases "cs" is empty`},
		{"case of no role", caseOf(func(c *Case) { c.Role = 9 }), `case "c": role number 9 is unknown`},
		{"case with a bad block", caseOf(func(*Case) {}, Text("")), `case "c": section "headline": the text is empty`},
		{"case within a case", caseOf(func(c *Case) { c.Cases("more") }), "a case cannot hold another list of cases"},
		{"peer plot without a raster", &Crowd{Chart: chart(func(*Chart) {})}, `peer plot "c": this peer plot was not made with NewCrowd`},
	}
	for _, tt := range tests {
		p := New(Options{Title: "t"})
		p.Section("Here", tt.block)
		var out bytes.Buffer
		err := p.Write(&out)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `cannot be drawn: section "Here": `) {
			t.Errorf("%s: error %v, want one in section %q with %q", tt.name, err, "Here", tt.want)
		}
		if out.Len() > 0 {
			t.Errorf("%s: %d bytes were written", tt.name, out.Len())
		}
	}
}

func TestAllErrorsAreTold(t *testing.T) {
	p := New(Options{Title: "t"})
	p.Section("One", Text(""))
	p.Section("Two", Table{})
	err := p.Write(&bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "One") || !strings.Contains(err.Error(), "Two") {
		t.Errorf("error %v, want one that names both sections", err)
	}
}

func TestUntitledPage(t *testing.T) {
	if err := New(Options{}).Write(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "no title") {
		t.Errorf("error %v, want one about the title", err)
	}
}
