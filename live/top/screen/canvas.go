package screen

import (
	"strings"

	"github.com/limpet-storage/limpet/live/top"
)

// A style is the colour and the emphasis of a cell.
type style struct {
	kind    top.Kind
	reverse bool
	bold    bool
}

type cell struct {
	r     rune
	style style
}

// A canvas has the characters and styles of all cells of a terminal.
type canvas struct {
	width, height int
	cells         []cell
}

func newCanvas(width, height int) *canvas {
	c := &canvas{width: width, height: height, cells: make([]cell, width*height)}
	c.clear()
	return c
}

func (c *canvas) clear() {
	for i := range c.cells {
		c.cells[i] = cell{r: ' '}
	}
}

// put writes text at a position. It cuts the text at the right edge, and returns the column after the
// text.
func (c *canvas) put(x, y int, text string, s style) int {
	for _, r := range text {
		if y < 0 || y >= c.height || x >= c.width {
			break
		}
		if x >= 0 {
			c.cells[y*c.width+x] = cell{narrow(r), s}
		}
		x++
	}
	return x
}

// narrow replaces characters that may take two columns, or no column.
func narrow(r rune) rune {
	const firstWide, combining, endCombining = 0x2e80, 0x300, 0x370
	if r < ' ' || r == 0x7f || r >= firstWide || r >= combining && r < endCombining {
		return '?'
	}
	return r
}

// paint changes the style of a whole line.
func (c *canvas) paint(y int, change func(*style)) {
	if y < 0 || y >= c.height {
		return
	}
	for x := range c.width {
		change(&c.cells[y*c.width+x].style)
	}
}

// String returns the text of the canvas, with a line break after each line.
func (c *canvas) String() string {
	var b strings.Builder
	for y := range c.height {
		var line strings.Builder
		for x := range c.width {
			line.WriteRune(c.cells[y*c.width+x].r)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}
