package page

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// A Crowd is a chart of many peers. The peers are drawn as a density, and the series of the chart
// stand out against it. Peers are rasterised as they are added, so that memory and file size do not
// grow with their number. Until the page is written, the names, series, levels and spans of the
// chart may change; its axes and positions may not.
type Crowd struct {
	Chart        Chart
	frame        frame
	raster       raster
	pens         []pen // pens of the peers that are added row by row
	rows         int   // number of rows added so far
	peers        int
	samples      int
	missing      int
	above, below int
}

// NewCrowd returns a crowd without peers. Its y axis must have bounds, because peers are added one
// at a time. Values beyond the bounds are drawn at the edge and counted in the legend.
func NewCrowd(c Chart) (*Crowd, error) {
	crowd := &Crowd{Chart: c, raster: newRaster()}
	if err := crowd.check(nil); err != nil {
		return nil, err
	}
	crowd.frame = frame{
		left:   c.X.place(c.At[0]),
		right:  c.X.place(c.At[len(c.At)-1]),
		bottom: c.Y.place(c.Y.Min),
		top:    c.Y.place(c.Y.Max),
	}
	return crowd, nil
}

// Add adds a peer with a value for every position; NaN: missing.
func (c *Crowd) Add(values []float64) error {
	if len(values) != len(c.Chart.At) {
		return fmt.Errorf("internal error: peer plot %q: peer %d has %d values for %d x values", c.Chart.Title, c.peers, len(values), len(c.Chart.At))
	}
	c.peers++
	var p pen
	for i, v := range values {
		c.sample(&p, i, v)
	}
	return nil
}

// AddRow adds the values of all peers at the next position, for callers that have rows and not
// series. All rows have the same peers in the same order.
func (c *Crowd) AddRow(values []float64) error {
	if c.rows == 0 {
		c.pens = make([]pen, len(values))
		c.peers += len(values)
	}
	if c.rows == len(c.Chart.At) {
		return fmt.Errorf("internal error: peer plot %q: there are more rows than x values (%d)", c.Chart.Title, len(c.Chart.At))
	}
	if len(values) != len(c.pens) {
		return fmt.Errorf("internal error: peer plot %q: row %d has %d peers, but the first row has %d peers", c.Chart.Title, c.rows, len(values), len(c.pens))
	}
	for i, v := range values {
		c.sample(&c.pens[i], c.rows, v)
	}
	c.rows++
	return nil
}

func (c *Crowd) sample(p *pen, position int, v float64) {
	c.samples++
	switch {
	case !finite(v):
		c.missing++
		v = math.NaN()
	case v > c.Chart.Y.Max:
		c.above++
	case v < c.Chart.Y.Min:
		c.below++
	}
	c.raster.sample(p, c.frame.across(c.Chart.X.place(c.Chart.At[position])), c.frame.up(c.Chart.Y.place(v)))
}

func (c *Crowd) check(*Page) error {
	if err := c.validate(); err != nil {
		return fmt.Errorf("peer plot %q: %w", c.Chart.Title, err)
	}
	return nil
}

func (c *Crowd) validate() error {
	switch positions := len(c.Chart.At); {
	case c.raster.cells == nil:
		return errors.New("this peer plot was not made with NewCrowd")
	case !c.Chart.Y.bounded():
		return errors.New("y axis: set Min and Max to the range of the peers' values")
	case positions == 1:
		return errors.New("there is only one x value: a peer plot needs at least two x values")
	case c.rows > 0 && c.rows < positions:
		return fmt.Errorf("there are rows for %d of %d x values: add the other rows, with NaN if nothing was measured", c.rows, positions)
	}
	return c.Chart.validate()
}

func (c *Crowd) write(w io.Writer) error { return c.plot().write(w) }

// A wireCrowd is the raster for the script: compressed levels of the cells, and the share of
// missing samples in every column.
type wireCrowd struct {
	Columns int    `json:"columns"`
	Rows    int    `json:"rows"`
	Cells   []byte `json:"cells"`
	Densest uint16 `json:"densest"`
	Missing []byte `json:"missing,omitempty"`
}

func (c *Crowd) plot() plot {
	p := c.Chart.plot()
	levels, densest := c.raster.levels()
	p.Sheet.Crowd = &wireCrowd{crowdColumns, crowdRows, packZeros(levels), densest, nil}
	p.Notes = append(p.Notes, entry{Kind: "crowd", Name: plural(c.peers, "peer")})
	if c.missing > 0 {
		p.Sheet.Crowd.Missing = packZeros(c.raster.absence())
		p.Notes = append(p.Notes, entry{Kind: "missing", Name: "missing", Note: c.share(c.missing) + " of samples"})
	}
	if note := c.beyond(); note != "" {
		p.Notes = append(p.Notes, entry{Kind: "note", Note: note})
	}
	return p
}

// beyond returns a note about the share of samples beyond the axis.
func (c *Crowd) beyond() string {
	switch {
	case c.above > 0 && c.below > 0:
		return fmt.Sprintf("%s of samples are above the axis and %s below the axis; these samples are drawn at the edges", c.share(c.above), c.share(c.below))
	case c.above > 0:
		return c.share(c.above) + " of samples are above the axis; these samples are drawn at the upper edge"
	case c.below > 0:
		return c.share(c.below) + " of samples are below the axis; these samples are drawn at the lower edge"
	}
	return ""
}

func (c *Crowd) share(n int) string {
	percent := 100 * float64(n) / float64(c.samples)
	switch {
	case percent < 0.01:
		return "<0.01 %"
	case percent < 1:
		return fmt.Sprintf("%.2f %%", percent)
	}
	return fmt.Sprintf("%.1f %%", percent)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
