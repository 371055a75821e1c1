package page

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A night is a page such as a diagnosis gives: cases with plots, a timeline and a
// map that lead to them.
type night struct {
	cases, charts int // of these, one a crowd
	rows, columns int // of the map
}

func (n night) page(t testing.TB) *Page {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	p := New(Options{Title: "What limps", Subtitle: "2024-05-01 12:00Z to 2024-05-02 12:00Z, 1152 components", Footer: "a test"})
	summary := p.Section("When and where")
	cases := p.Section("Incidents").Cases("Incidents")
	var all []*Case
	for i := range n.cases {
		all = append(all, n.add(t, cases, r, i))
	}
	summary.Add(n.timeline(all), n.tiles(r, all), n.table(all))
	return p
}

var nightCauses = []string{"lost attachment", "drawer error", "single LUN", "server-issued workload", "silent server"}

func (n night) add(t testing.TB, cases *Cases, r *rand.Rand, i int) *Case {
	t.Helper()
	cause := nightCauses[i%len(nightCauses)]
	name := fmt.Sprintf("fs%d", i+1)
	c := cases.Add(name, fmt.Sprintf("%s no longer serves %d LUNs whose primary it is (%s); fs%d carries their load", name, 3+i%7, cause, 40+i),
		Text("Decided by nine attachments without data while their server has some. A silent server would have taken all of them."))
	c.Facts = []string{"since " + instant(n.begin(i)), fmt.Sprintf("%d LUNs", 3+i%7), fmt.Sprintf("severity %d", 90-i)}
	c.State, c.Role = "confirmed", Suspect
	if i%3 == 2 {
		c.State, c.Role = "cleared", Peer
	}
	c.Add(nightChart(name, n.begin(i), r), nightCrowd(t, name, n.begin(i), r))
	for len(c.Blocks) < n.charts+1 {
		c.Add(nightChart(name, n.begin(i), r))
	}
	return c
}

func (n night) begin(i int) float64 { return noon + 3600*float64(1+(5*i)%21) }

func nightChart(name string, begin float64, r *rand.Rand) Chart {
	values := make([]float64, 1440)
	at := make([]float64, len(values))
	for i := range values {
		at[i] = noon + 60*float64(i)
		values[i] = 0.4 + 0.1*r.Float64()
		if at[i] > begin {
			values[i] += 0.5
		}
	}
	return Chart{
		Title: "Score against its threshold", X: Axis{Label: "time", Scale: Time}, Y: Axis{Label: "distance"}, At: at,
		Series: []Series{{Name: name, Role: Suspect, Values: values}},
		Levels: []Level{{Name: "threshold", Role: Threshold, Value: 0.7}},
		Spans:  []Span{{Label: "onset", Role: Suspect, From: begin - 900, To: begin + 900}},
	}
}

func nightCrowd(t testing.TB, name string, begin float64, r *rand.Rand) *Crowd {
	t.Helper()
	chart := nightChart(name, begin, r)
	chart.Title, chart.Y, chart.Levels = name+" over its 40 peers", Axis{Label: "await", Unit: "ms", Max: 40}, nil
	for i, v := range chart.Series[0].Values {
		chart.Series[0].Values[i] = 25 * v
	}
	crowd, err := NewCrowd(chart)
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		values := make([]float64, len(chart.At))
		for i := range values {
			values[i] = 8 + 2*math.Sin(chart.At[i]/7000) + r.NormFloat64()
		}
		if err := crowd.Add(values); err != nil {
			t.Fatal(err)
		}
	}
	return crowd
}

func (n night) timeline(all []*Case) Timeline {
	line := Timeline{Title: "Incidents", Begin: noon, End: noon + day}
	for i, c := range all {
		begin := n.begin(i)
		in := Interval{Label: nightCauses[i%len(nightCauses)], Role: c.Role, Begin: begin, Early: begin - 900, Late: begin + 900, Open: c.State != "cleared"}
		lane := Lane{Name: c.Name, To: &c.Section}
		if !in.Open {
			in.End = begin + 5400
			lane.Moments = []Moment{{Label: "resolved", At: begin + 6000}}
		}
		lane.Intervals = []Interval{in}
		line.Lanes = append(line.Lanes, lane)
	}
	return line
}

// tiles marks a tile of each case, leaves one out and one without a value.
func (n night) tiles(r *rand.Rand, all []*Case) Map {
	m := Map{Title: "Arrays and LUNs", Value: Axis{Label: "accumulator"}}
	for c := range n.columns {
		if n.columns <= 100 {
			m.Columns = append(m.Columns, fmt.Sprint(c))
		}
	}
	for y := range n.rows {
		row := MapRow{Name: fmt.Sprintf("array %d", y+1)}
		for x := range n.columns {
			tile := Tile{Name: fmt.Sprintf("%d.%d", y+1, x)}
			if r.IntN(30) == 0 {
				tile.Value = float64(r.IntN(9))
			}
			i := y*n.columns + x
			switch {
			case i == 2:
				tile.Value = nan
			case i == 3:
				tile = Tile{}
			case i == n.columns+1:
				tile.Value = 4
			case i%23 == 5 && i/23 < len(all):
				tile.Value, tile.Text, tile.Role, tile.To = 43-float64(i%40), "await 1.4 times its peers'", Suspect, &all[i/23].Section
			}
			row.Tiles = append(row.Tiles, tile)
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

func (n night) table(all []*Case) Table {
	t := Table{Caption: "By severity", Columns: []Column{{Name: "component"}, {Name: "state"}}}
	for _, c := range all[:min(len(all), 3)] {
		t.Rows = append(t.Rows, []Cell{{Text: c.Name, To: &c.Section, Role: c.Role}, {Text: c.State}})
	}
	return t
}
