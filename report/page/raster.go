package page

import "math"

// The size of a crowd's raster. A plot is about a thousand pixels wide and three
// hundred high on a screen; a little coarser than that, a line one cell thick
// stays visible and the raster stays under 300 kB however many peers there are.
const (
	crowdColumns = 900
	crowdRows    = 220
)

// A raster counts, for every cell, the peers whose line passes through it, and
// for every column the samples that were due and those that were missing.
type raster struct {
	cells   []uint16 // column by column, lowest row first
	due     []uint32
	missing []uint32
}

// A frame lays a plot's corners, as its axes place them, on the raster's.
type frame struct{ left, right, bottom, top float64 }

// across is the raster's coordinate of a place on the x axis.
func (f frame) across(x float64) float64 {
	return (x - f.left) * crowdColumns / (f.right - f.left)
}

// up is the raster's coordinate of a place on the y axis. It is kept within a
// plot's height of the plot, so that slopes stay finite.
func (f frame) up(y float64) float64 {
	return min(max((y-f.bottom)*crowdRows/(f.top-f.bottom), -crowdRows), 2*crowdRows)
}

// A pen draws one peer's line. It knows where it stands and which cells of its
// column it has inked already, so that a line counts once in a cell however
// often it crosses it. Coordinates are in cells.
type pen struct {
	begun, down bool
	x, y        float64
	column      int
	low, high   int // inked: from low up to, not including, high
}

func newRaster() raster {
	return raster{
		cells:   make([]uint16, crowdColumns*crowdRows),
		due:     make([]uint32, crowdColumns),
		missing: make([]uint32, crowdColumns),
	}
}

// sample moves the pen to the peer's next sample, drawing on the way. Where y is
// NaN the sample is missing, and the pen is lifted.
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

// count books a sample as due in every column since the one before it, so that
// few samples leave no column unaccounted for.
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

// stroke draws a straight line from where the pen stands, column by column.
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

// ink marks the cells between two heights of a column, except those that the pen
// has just marked.
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

// column and row are the cells at a coordinate; what lies beyond an edge is drawn
// along it.
func column(x float64) int { return int(min(max(x, 0), crowdColumns-1)) }
func row(y float64) int    { return int(min(max(y, 0), crowdRows-1)) }

// levels maps counts to 1…255 by their logarithm, so that a lone peer shows
// beside a thousand; an empty cell is 0.
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

// absence is the share of missing samples in each column in 255ths, rounded up:
// one missing sample among many must still show.
func (r *raster) absence() []byte {
	shares := make([]byte, crowdColumns)
	for c, due := range r.due {
		if due > 0 {
			shares[c] = byte(math.Ceil(255 * float64(r.missing[c]) / float64(due)))
		}
	}
	return shares
}

// squeeze writes a run of zeros as a zero and its length, at most 255; most of a
// raster is empty.
func squeeze(levels []byte) []byte {
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
