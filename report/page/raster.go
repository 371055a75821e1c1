package page

import "math"

// The size of a crowd's raster. A plot is about a thousand pixels wide and three hundred high on a
// screen. The raster is a little coarser, so that a line of one cell is visible, and the raster
// takes less than 300 kB for any number of peers.
const (
	crowdColumns = 900
	crowdRows    = 220
)

// A raster has, for every cell, the number of peers whose line passes through the cell, and for
// every column the number of samples, and of missing samples.
type raster struct {
	cells   []uint16 // column by column, lowest row first
	due     []uint32
	missing []uint32
}

// A frame maps positions on the axes to coordinates of the raster.
type frame struct{ left, right, bottom, top float64 }

// across returns the raster coordinate of a position on the x axis.
func (f frame) across(x float64) float64 {
	return (x - f.left) * crowdColumns / (f.right - f.left)
}

// up returns the raster coordinate of a position on the y axis. The result lies at most one plot
// height outside of the plot, so that slopes stay finite.
func (f frame) up(y float64) float64 {
	return min(max((y-f.bottom)*crowdRows/(f.top-f.bottom), -crowdRows), 2*crowdRows)
}

// A pen draws one peer's line. It remembers its position and the cells of its column that it has
// inked, so that a line that crosses a cell several times counts once. Coordinates are in cells.
type pen struct {
	begun, down bool
	x, y        float64
	column      int
	low, high   int // inked cells: low <= row < high
}

func newRaster() raster {
	return raster{
		cells:   make([]uint16, crowdColumns*crowdRows),
		due:     make([]uint32, crowdColumns),
		missing: make([]uint32, crowdColumns),
	}
}

// sample draws a line to the peer's next sample. If y is NaN, the sample is missing, and the pen is
// lifted.
func (r *raster) sample(p *pen, x, y float64) {
	absent := math.IsNaN(y)
	r.count(p, column(x), absent)
	switch {
	case absent:
	case p.down:
		r.stroke(p, x, y)
	default:
		r.ink(p, column(x), y, y)
	}
	p.begun, p.down, p.x, p.y = true, !absent, x, y
}

// count counts a sample in every column since the sample before it, so that even few samples give
// every column a count.
func (r *raster) count(p *pen, last int, absent bool) {
	first := last
	if p.begun {
		first = min(column(p.x)+1, last)
	}
	for c := first; c <= last; c++ {
		r.due[c]++
		if absent {
			r.missing[c]++
		}
	}
}

// stroke draws a straight line from the position of the pen, column by column.
func (r *raster) stroke(p *pen, x, y float64) {
	slope := (y - p.y) / (x - p.x)
	last := column(x)
	from := p.y
	for c := column(p.x); c < last; c++ {
		to := p.y + (float64(c+1)-p.x)*slope
		r.ink(p, c, from, to)
		from = to
	}
	r.ink(p, last, from, y)
}

// ink counts the cells between two heights of a column, except those that the pen has already
// inked.
func (r *raster) ink(p *pen, column int, y0, y1 float64) {
	low, high := row(min(y0, y1)), row(max(y0, y1))+1
	if column != p.column || low > p.high || high < p.low {
		p.column, p.low, p.high = column, low, low
	}
	cells := r.cells[column*crowdRows:][:crowdRows]
	for p.low > low {
		p.low--
		bump(&cells[p.low])
	}
	for p.high < high {
		bump(&cells[p.high])
		p.high++
	}
}

func bump(cell *uint16) {
	if *cell < math.MaxUint16 {
		*cell++
	}
}

// column and row return the cell at a coordinate. Coordinates beyond an edge give the cell at the
// edge.
func column(x float64) int { return int(min(max(x, 0), crowdColumns-1)) }
func row(y float64) int    { return int(min(max(y, 0), crowdRows-1)) }

// levels maps counts to levels 1…255 by their logarithm, so that a single peer is visible beside a
// thousand. An empty cell has level 0.
func (r *raster) levels() (levels []byte, densest uint16) {
	for _, n := range r.cells {
		densest = max(densest, n)
	}
	levels = make([]byte, len(r.cells))
	scale := 254 / math.Log(float64(max(densest, 2)))
	for i, n := range r.cells {
		if n > 0 {
			levels[i] = byte(1 + math.Round(scale*math.Log(float64(n))))
		}
	}
	return levels, densest
}

// absence returns the share of missing samples in each column, in 255ths. It is rounded up, so that
// one missing sample among many is visible.
func (r *raster) absence() []byte {
	shares := make([]byte, crowdColumns)
	for c, due := range r.due {
		if due > 0 {
			shares[c] = byte(math.Ceil(255 * float64(r.missing[c]) / float64(due)))
		}
	}
	return shares
}

// packZeros replaces each run of zeros by a zero and the length of the run, at most 255. Most cells
// of a raster are zero.
func packZeros(levels []byte) []byte {
	var out []byte
	for i := 0; i < len(levels); {
		if levels[i] != 0 {
			out = append(out, levels[i])
			i++
			continue
		}
		run := i
		for i < len(levels) && levels[i] == 0 && i-run < math.MaxUint8 {
			i++
		}
		out = append(out, 0, byte(i-run))
	}
	return out
}
