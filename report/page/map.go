package page

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// A Map shows many components at once. Each component is a tile whose colour shows its value: an
// array is a row, for example, and a LUN a column. In contrast to a [Heat], tiles have names, and
// may have an outline for a role and a link to a section. The map needs no script to be drawn; a
// script only shows the values of tiles.
type Map struct {
	Title string
	Value Axis // axis of the colours; linear or logarithmic

	// Bound is the value at which the colours change: values up to it have calm colours, and values
	// above it have warning colours, for three octaves on both sides. So a healthy system looks
	// healthy with any largest value. 0: no bound.
	Bound float64

	// Columns has the names of the columns. Without names, rows may differ in length, and long rows
	// are wrapped.
	Columns []string
	Rows    []MapRow
}

// A MapRow is a row with its name and a tile for every column.
type MapRow struct {
	Name  string
	Tiles []Tile
}

// A Tile is one component. A tile without a name is an empty place.
type Tile struct {
	Name  string
	Value float64 // not finite: missing, and hatched; zero is not missing
	Text  string  // further text about the tile
	Role  Role    // outlines the tile, unless it is Plain
	To    *Section
}

func (m Map) check(p *Page) error {
	if err := m.validate(p); err != nil {
		return fmt.Errorf("map %q: %w", m.Title, err)
	}
	return nil
}

func (m Map) validate(p *Page) error {
	if err := m.Value.check(); err != nil {
		return fmt.Errorf("value axis: %w", err)
	}
	if m.Value.Scale == Time {
		return errors.New("value axis: times cannot be shown as colours")
	}
	if !finite(m.Bound) || m.Bound < 0 {
		return fmt.Errorf("the threshold is %g: give a threshold above zero, or no threshold", m.Bound)
	}
	if m.tiles() == 0 {
		return errors.New("a plot without tiles cannot be drawn")
	}
	for _, row := range m.Rows {
		if n := len(m.Columns); n > 0 && len(row.Tiles) != n {
			return fmt.Errorf("row %q has %d tiles for %d columns: give one tile for each column; a tile without a name stays empty", row.Name, len(row.Tiles), n)
		}
		for _, t := range row.Tiles {
			if err := t.check(p); err != nil {
				return fmt.Errorf("row %q: tile %q: %w", row.Name, t.Name, err)
			}
		}
	}
	return nil
}

func (t Tile) check(p *Page) error {
	if !t.Role.known() {
		return fmt.Errorf("role number %d is unknown: use a role that role.go defines", t.Role)
	}
	if t.Name == "" && (t.To != nil || t.Role != Plain) {
		return errors.New("the tile has a role or a link, but no name: give the tile a name")
	}
	return p.checkLink(t.To)
}

// tiles returns the number of tiles with a name.
func (m Map) tiles() int {
	n := 0
	m.each(func(Tile) { n++ })
	return n
}

func (m Map) each(do func(Tile)) {
	for _, row := range m.Rows {
		for _, t := range row.Tiles {
			if t.Name != "" {
				do(t)
			}
		}
	}
}

func (m Map) write(w io.Writer) error { return render(w, "map", m.drawing()) }

// bounds returns the bounds of the value axis, or of the values if the axis has none. With a Bound,
// they are three octaves below and above it.
func (m Map) bounds() (low, high float64) {
	if m.Bound > 0 {
		return m.Bound / (1 << octaves), m.Bound * (1 << octaves)
	}
	var values []float64
	m.each(func(t Tile) { values = append(values, t.Value) })
	return Heat{Value: m.Value, Values: [][]float64{values}}.bounds()
}

// say returns the tile in words.
func (t Tile) say(value Axis) string {
	text := t.Name + " · missing"
	if finite(t.Value) {
		text = t.Name + " · " + value.say(t.Value)
	}
	if t.Text != "" {
		text += " · " + t.Text
	}
	return text
}

// A shade is one of the colours between a map's lowest and highest value. The number of shades is
// small, so that neighbouring shades can be distinguished. The style sheet has their names.
type shade string

// octaves is the number of octaves with different shades on either side of a bound, as in the chart
// library.
const octaves = 3

// within and beyond are the highest numbers of shades below and above a bound.
const within, beyond = 7, 8

// anchored returns the shade of a value on a scale with a bound.
func anchored(bound, v float64) shade {
	if v <= 0 {
		return "within-0"
	}
	place := math.Log2(v/bound) / octaves
	if place < 0 {
		return shade(fmt.Sprint("within-", max(0, math.Round(within*(1+place)))))
	}
	return shade(fmt.Sprint("beyond-", min(beyond, math.Round(beyond*place))))
}

// shades is the number of shades: the five colours of the ramp, and three between each two.
const shades = 17

// shadeOf returns the shade of a value on an axis with bounds.
func shadeOf(axis Axis, v float64) shade {
	low, high := axis.place(axis.Min), axis.place(axis.Max)
	if low == high {
		return "shade-0"
	}
	share := (axis.place(v) - low) / (high - low)
	return shade(fmt.Sprint("shade-", math.Round(min(max(share, 0), 1)*(shades-1))))
}

// shadeOf returns the shade of a value on the map, whose axis has bounds.
func (m Map) shadeOf(v float64) shade {
	if m.Bound > 0 {
		return anchored(m.Bound, v)
	}
	return shadeOf(m.Value, v)
}
