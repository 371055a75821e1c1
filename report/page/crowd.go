package page

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// A Crowd is a chart over many peers: they are drawn as a density, and what is
// named in the chart stands out against it. Peers are rasterised as they are
// added, so a crowd's memory and its place in the file do not grow with them.
// The chart's names, series, levels and spans may change until the page is
// written, its axes and positions may not.
type Crowd struct {
	Chart        Chart
	frame        frame
	raster       raster
	pens         []pen // of the peers added row by row
	rows         int   // of such rows so far
	peers        int
	samples      int
	missing      int
	above, below int
}

// NewCrowd returns a crowd without peers. Its y axis must have bounds, since
// peers come one at a time; what lies beyond them is drawn at the edge and
// counted in the legend.
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

// Add adds a peer with a value for every position, NaN where it is missing.
func (c *Crowd) Add(values []float64) error {
	if len(values) != len(c.Chart.At) {
		return fmt.Errorf("internal error: plot of peers %q: peer %d has %d values for %d x values", c.Chart.Title, c.peers, len(values), len(c.Chart.At))
	}
	c.peers++
	var p pen
	for i, v := range values {
		c.sample(&p, i, v)
	}
	return nil
}

// AddRow adds the values of all peers at the next position, for those who hold
// rows rather than series. All rows have the same peers in the same order.
func (c *Crowd) AddRow(values []float64) error {
	if c.rows == 0 {
		c.pens = make([]pen, len(values))
		c.peers += len(values)
	}
	if c.rows == len(c.Chart.At) {
		return fmt.Errorf("internal error: plot of peers %q: there are more rows than x values (%d)", c.Chart.Title, len(c.Chart.At))
	}
	if len(values) != len(c.pens) {
		return fmt.Errorf("internal error: plot of peers %q: row %d has %d peers, but the first row has %d peers", c.Chart.Title, c.rows, len(values), len(c.pens))
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
		return fmt.Errorf("plot of peers %q: %w", c.Chart.Title, err)
	}
	return nil
}

func (c *Crowd) validate() error {
	switch positions := len(c.Chart.At); {
	case c.raster.cells == nil:
		return errors.New("this plot of peers was not made with NewCrowd")
	case !c.Chart.Y.bounded():
		return errors.New("y axis: set Min and Max to the range of the peers' values")
	case positions == 1:
		return errors.New("there is only one x value: a plot of peers needs at least two x values")
	case c.rows > 0 && c.rows < positions:
		return fmt.Errorf("there are rows for %d of %d x values: add the other rows, with NaN if nothing was measured", c.rows, positions)
	}
	return c.Chart.validate()
}

func (c *Crowd) write(w io.Writer) error { return c.plot().write(w) }

// A wireCrowd is the raster for the script: cells as squeezed levels, and the
// share of missing samples in every column.
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
	p.Sheet.Crowd = &wireCrowd{crowdColumns, crowdRows, squeeze(levels), densest, nil}
	p.Notes = append(p.Notes, entry{Kind: "crowd", Name: plural(c.peers, "peer")})
	if c.missing > 0 {
		p.Sheet.Crowd.Missing = squeeze(c.raster.absence())
		p.Notes = append(p.Notes, entry{Kind: "missing", Name: "missing", Note: c.share(c.missing) + " of samples"})
	}
	if note := c.beyond(); note != "" {
		p.Notes = append(p.Notes, entry{Kind: "note", Note: note})
	}
	return p
}

// beyond says how much of the crowd the axis has no room for.
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
