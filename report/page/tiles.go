package page

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// The map's drawing. Tiles are unit squares, which the browser stretches to the width of the
// screen. All tiles of one colour are one path, so that a thousand tiles take a few kilobytes. Only
// tiles with a role or a link are separate elements.

// A mapDrawing is the layout of a Map.
type mapDrawing struct {
	Title, Name string // Name: meaning of the values
	Says        string // map in words, for screen readers
	Low, High   string // bounds of the values
	Bound       string // value at which the colours change; empty: none
	Columns     int
	Lines       []mapLine
	Labels      []mapLabel
	Width       int // in pixels, if the screen is wide enough
	Height      int
	Broad       bool // too many columns for a narrow screen: the map scrolls there
	Shades      []mapShade
	Missing     string // path
	Marks       []mapMark
	sheet       mapSheet
}

// A mapLine is a row, or a part of a wrapped row. A later part has the name of its first tile.
type mapLine struct {
	Name  string
	More  bool // a later part of a wrapped row
	tiles []Tile
}

// A mapLabel names a column.
type mapLabel struct{ X, Text string }

type mapShade struct {
	Shade shade
	Path  string
}

// A mapMark is a tile with a role or a link.
type mapMark struct {
	Class, Says string
	To          *Section
	X, Y        int
}

// A mapSheet holds the names, values and texts of tiles for the script, by line and then by column.
type mapSheet struct {
	Columns int            `json:"columns"`
	Unit    string         `json:"unit,omitempty"`
	Names   []string       `json:"names"` // empty: the place is empty
	Values  []byte         `json:"values"`
	Texts   map[int]string `json:"texts,omitempty"`
}

// Lengths of the drawing.
const (
	tileHeight  = 14
	tileWidth   = 24   // largest width
	wrapAfter   = 64   // largest number of tiles in a line: a tile has 6 pixels on a phone and 17 on a wide screen
	broadAfter  = 40   // number of columns above which a map scrolls on a narrow screen
	broadWidth  = 640  // width of a map that scrolls, in pixels
	narrowWidth = 300  // width of a map beside its names on a narrow screen, in pixels
	minorLetter = 6.5  // average width of a letter of column names, in pixels
	labelGap    = 10.0 // smallest gap between column names, in pixels
)

func (m Map) drawing() mapDrawing {
	m.Value.Min, m.Value.Max = m.bounds()
	lines, columns := m.lines()
	d := mapDrawing{
		Title: m.Title, Name: m.Value.name(), Low: m.Value.say(m.Value.Min), High: m.Value.say(m.Value.Max),
		Columns: columns, Lines: lines, Labels: m.labels(),
		Width: columns * tileWidth, Height: len(lines) * tileHeight, Broad: columns > broadAfter,
		sheet: mapSheet{Columns: columns, Unit: m.Value.Unit, Texts: map[int]string{}},
	}
	if m.Bound > 0 {
		d.Bound = m.Value.say(m.Bound)
	}
	d.paint(m)
	d.Says = m.says(&d)
	return d
}

// lines returns the map's rows. Long rows are wrapped if columns have no names.
func (m Map) lines() (lines []mapLine, columns int) {
	most := max(len(m.Columns), wrapAfter)
	for _, row := range m.Rows {
		rest := row.Tiles
		lines = append(lines, mapLine{Name: row.Name, tiles: rest[:min(most, len(rest))]})
		columns = max(columns, min(most, len(rest)))
		for len(rest) > most {
			rest = rest[most:]
			lines = append(lines, mapLine{Name: rest[0].Name, More: true, tiles: rest[:min(most, len(rest))]})
		}
	}
	return lines, columns
}

// labels returns names of columns, as many as fit on a narrow screen.
func (m Map) labels() []mapLabel {
	n := len(m.Columns)
	if n == 0 {
		return nil
	}
	letters := 0
	for _, name := range m.Columns {
		letters = max(letters, utf8.RuneCountInString(name))
	}
	width := min(tileWidth, narrowWidth/float64(n))
	if n > broadAfter {
		width = broadWidth / float64(n)
	}
	every := roundUp((minorLetter*float64(letters) + labelGap) / width)
	var labels []mapLabel
	for i := 0; i < n; i += every {
		labels = append(labels, mapLabel{percent(100 * (float64(i) + 0.5) / float64(n)), m.Columns[i]})
	}
	return labels
}

// roundUp returns the next round number: 1, 2, 4, 5, 8, 10, 20, …
func roundUp(x float64) int {
	for ten := 1; ; ten *= 10 {
		for _, n := range []int{1, 2, 4, 5, 8} {
			if step := n * ten; float64(step) >= x {
				return step
			}
		}
	}
}

// paint groups tiles by their colour, and adds a mark for each tile with a role or a link.
func (d *mapDrawing) paint(m Map) {
	ink := palette{shades: map[shade]*strings.Builder{}}
	var values []float64
	for y, line := range d.Lines {
		for x := range d.Columns {
			t := line.tile(x)
			d.sheet.add(t)
			values = append(values, t.Value)
			ink.tile(t, m.shadeOf(t.Value), x, y)
			if t.Role != Plain || t.To != nil {
				d.Marks = append(d.Marks, mapMark{t.class(), t.say(m.Value), t.To, x, y})
			}
		}
	}
	d.sheet.Values = float32s(values)
	d.Shades, d.Missing = ink.paths()
}

// tile returns the tile of a column; an empty tile if the line is shorter.
func (l *mapLine) tile(column int) Tile {
	if column < len(l.tiles) {
		return l.tiles[column]
	}
	return Tile{}
}

func (s *mapSheet) add(t Tile) {
	if t.Text != "" {
		s.Texts[len(s.Names)] = t.Text
	}
	s.Names = append(s.Names, t.Name)
}

// A palette collects the tiles of each colour in a path.
type palette struct {
	shades  map[shade]*strings.Builder
	missing strings.Builder
}

func (p *palette) tile(t Tile, s shade, x, y int) {
	switch {
	case t.Name == "":
	case finite(t.Value):
		if p.shades[s] == nil {
			p.shades[s] = &strings.Builder{}
		}
		fmt.Fprintf(p.shades[s], "M%d %dh1v1h-1z", x, y)
	default:
		fmt.Fprintf(&p.missing, "M%d %dh1v1h-1zl1 1", x, y)
	}
}

// paths returns the paths of all colours that occur, and the path of missing values.
func (p *palette) paths() (drawn []mapShade, missing string) {
	for _, s := range slices.Sorted(maps.Keys(p.shades)) {
		drawn = append(drawn, mapShade{s, p.shades[s].String()})
	}
	return drawn, p.missing.String()
}

// class returns the CSS class of the tile's outline; a plain tile has no outline.
func (t Tile) class() string {
	if t.Role == Plain {
		return "bare"
	}
	return t.Role.class(0)
}

// says returns the map in words.
func (m Map) says(d *mapDrawing) string {
	missing := 0
	m.each(func(t Tile) {
		if !finite(t.Value) {
			missing++
		}
	})
	scale := fmt.Sprintf("%s from %s to %s", m.Value.Label, d.Low, d.High)
	if m.Bound > 0 {
		scale = fmt.Sprintf("%s, whose threshold is %s", m.Value.Label, d.Bound)
	}
	text := fmt.Sprintf("%s: map of %s in %s, %s", m.Title, plural(m.tiles(), "tile"), plural(len(m.Rows), "row"), scale)
	if missing > 0 {
		text += fmt.Sprintf(", %d missing", missing)
	}
	return text + ". Use the arrow keys to read the values of tiles."
}

// Data returns the sheet for the script.
func (d mapDrawing) Data() (template.JS, error) { return asJSON(d.Title, d.sheet) }
