package page

import (
	"fmt"
	"strings"
	"testing"
)

// longRow is a row of n tiles.
func longRow(n int) MapRow {
	row := MapRow{Name: "row"}
	for i := range n {
		row.Tiles = append(row.Tiles, Tile{Name: fmt.Sprint("t", i), Value: float64(i)})
	}
	return row
}

func TestLongRowsAreWrapped(t *testing.T) {
	d := Map{Rows: []MapRow{longRow(1126)}}.drawing()
	if len(d.Lines) != 18 || d.Columns != wrapAfter || d.Lines[1].Name != "t64" || !d.Lines[1].More {
		t.Errorf("1126 tiles are %d lines of %d, the second called %q", len(d.Lines), d.Columns, d.Lines[1].Name)
	}
	columns := make([]string, 100)
	if d := (Map{Columns: columns, Rows: []MapRow{longRow(100)}}).drawing(); len(d.Lines) != 1 || d.Columns != 100 {
		t.Errorf("a row of 100 named columns is %d lines of %d", len(d.Lines), d.Columns)
	}
}

// TestEveryTileIsDrawnOnce counts tiles of paths: those with a value, those
// without, and none where nothing is.
func TestEveryTileIsDrawnOnce(t *testing.T) {
	row := longRow(70)
	row.Tiles[3].Value, row.Tiles[4] = nan, Tile{}
	d := Map{Rows: []MapRow{row, longRow(2)}}.drawing()
	filled := 0
	for _, s := range d.Shades {
		filled += strings.Count(s.Path, "z")
	}
	if missing := strings.Count(d.Missing, "z"); filled != 70 || missing != 1 {
		t.Errorf("%d tiles with a value and %d without, want 70 and 1", filled, missing)
	}
	if got := len(d.sheet.Names); got != 3*64 || d.sheet.Names[4] != "" || d.sheet.Names[128] != "t0" {
		t.Errorf("the script is given %d names %q", got, d.sheet.Names)
	}
}

func TestShades(t *testing.T) {
	tests := []struct {
		axis Axis
		v    float64
		want int
	}{
		{Axis{Max: 16}, 0, 0},
		{Axis{Max: 16}, 3.4, 3},
		{Axis{Max: 16}, 99, 16},
		{Axis{Max: 16}, -1, 0},
		{Axis{Scale: Log, Min: 1, Max: 10000}, 100, 8},
		{Axis{Scale: Log, Min: 1, Max: 10000}, 0, 0},
		{Axis{Min: 5, Max: 5}, 5, 0},
	}
	for _, tt := range tests {
		if got := shadeOf(tt.axis, tt.v); got != shade(fmt.Sprint("shade-", tt.want)) {
			t.Errorf("%g on %+v is %s, want shade %d", tt.v, tt.axis, got, tt.want)
		}
	}
}

func TestEveryShadeHasItsColour(t *testing.T) {
	css := asset("map.css")
	for name, last := range map[string]int{"shade": shades - 1, "within": within, "beyond": beyond} {
		for s := range last + 1 {
			if !strings.Contains(css, fmt.Sprintf(".%s-%d {", name, s)) {
				t.Errorf("map.css has no colour for %s %d", name, s)
			}
		}
	}
}

// TestColoursAreAnchoredAtTheBound: the largest value of a healthy system is calm, and
// what is beyond the bound is not.
func TestColoursAreAnchoredAtTheBound(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want shade
	}{
		{0, "within-0"}, {0.1, "within-0"}, {0.5, "within-2"}, {1.9, "within-7"}, {2, "beyond-0"}, {3.2, "beyond-2"}, {16, "beyond-8"}, {900, "beyond-8"},
	} {
		if got := (Map{Bound: 2}).shadeOf(tt.v); got != tt.want {
			t.Errorf("%g is %s where the bound is 2, want %s", tt.v, got, tt.want)
		}
	}
}

func TestColumnsAreNamedWhereThereIsRoom(t *testing.T) {
	tests := []struct {
		columns int
		name    string // of every column
		want    int    // labels
	}{
		{12, "9", 12},
		{72, "71", 18},
		{12, "a-long-name", 3},
		{2, "a-very-long-name-indeed", 1},
	}
	for _, tt := range tests {
		m := Map{Columns: strings.Split(strings.Repeat(tt.name+" ", tt.columns-1)+tt.name, " ")}
		if got := len(m.labels()); got != tt.want {
			t.Errorf("%d columns called %s have %d labels, want %d", tt.columns, tt.name, got, tt.want)
		}
	}
}

func TestTilesInWords(t *testing.T) {
	tests := []struct {
		tile Tile
		want string
	}{
		{Tile{Name: "2.34", Value: 43, Text: "slow"}, "2.34 · 43 h · slow"},
		{Tile{Name: "2.34"}, "2.34 · 0 h"},
		{Tile{Name: "2.34", Value: nan}, "2.34 · missing"},
	}
	for _, tt := range tests {
		if got := tt.tile.say(Axis{Unit: "h"}); got != tt.want {
			t.Errorf("%+v is %q, want %q", tt.tile, got, tt.want)
		}
	}
}
