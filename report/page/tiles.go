package page

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// The map's drawing: tiles are unit squares that the browser stretches to the
// room there is. Those of one colour are one path, so that a thousand tiles take
// a few kilobytes; only those with a role or a link are elements of their own.

// A mapDrawing is a Map laid out.
type mapDrawing struct {
	Title, Name string // Name: what the values are
	Says        string // the map in words, for those who do not see it
	Low, High   string // of the values
	Bound       string // that colours are anchored at; empty where they are not
	Columns     int
	Lines       []mapLine
	Labels      []mapLabel
	Width       int // in pixels, where there is room
	Height      int
	Broad       bool // too many columns for a narrow screen, which then scrolls
	Shades      []mapShade
	Missing     string // path
	Marks       []mapMark
	sheet       mapSheet
}

// A mapLine is a row, or a piece of one that is wrapped and then called by its
// first tile.
type mapLine struct {
	Name  string
	More  bool // a piece other than the first
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

// A mapSheet is what the script reads tiles out of: by line, then column.
type mapSheet struct {
	Columns int            `json:"columns"`
	Unit    string         `json:"unit,omitempty"`
	Names   []string       `json:"names"` // empty where nothing is
	Values  []byte         `json:"values"`
	Texts   map[int]string `json:"texts,omitempty"`
}

// Lengths of the drawing.
const (
	tileHeight  = 14
	tileWidth   = 24   // at most
	wrapAfter   = 64   // tiles: 6 pixels each on a phone and 17 on a wide screen
	broadAfter  = 40   // columns
	broadWidth  = 640  // pixels, of what scrolls
	narrowWidth = 300  // pixels, of a map beside its names on a narrow screen
	minorLetter = 6.5  // of column names, on average
	labelGap    = 10.0 // between column names
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

// lines are the map's rows, long ones wrapped where columns have no names.
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

// labels are names of columns, as many as there is room for on a narrow screen.
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

// roundUp is the next of 1, 2, 4, 5, 8, 10, 20, …: steps that people count in.
func roundUp(x float64) int {
	for ten := 1; ; ten *= 10 {
		for _, n := range []int{1, 2, 4, 5, 8} {
			if step := n * ten; float64(step) >= x {
				return step
			}
		}
	}
}

// paint sorts tiles by their colour, and sets apart those with a role or a link.
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

// tile is the one of a column; lines may be shorter than the map is wide.
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

// A palette gathers the tiles of each colour in a path.
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

// paths are those of the colours that occur, and of what is missing.
func (p *palette) paths() (drawn []mapShade, missing string) {
	for _, s := range slices.Sorted(maps.Keys(p.shades)) {
		drawn = append(drawn, mapShade{s, p.shades[s].String()})
	}
	return drawn, p.missing.String()
}

// class is the style of the tile's outline; a plain tile has none.
func (t Tile) class() string {
	if t.Role == Plain {
		return "bare"
	}
	return t.Role.class(0)
}

// says is the map in words.
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

// Data is the sheet for the script.
func (d mapDrawing) Data() (template.JS, error) { return asJSON(d.Title, d.sheet) }
