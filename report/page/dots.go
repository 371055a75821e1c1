package page

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// Dots compares numbers by name. Each name has a line, with a dot for each series and a bar for the
// uncertainty of the number. The plot needs no script, and is as wide as the screen allows. On a
// narrow screen, names are above their lines.
type Dots struct {
	Title  string
	X      Axis     // axis of the values; linear or logarithmic
	Rows   []string // names, from the top
	Series []DotSeries
}

// A DotSeries has a value for every row. A value that is not finite is missing and has no dot; zero
// is not missing.
type DotSeries struct {
	Name   string
	Role   Role
	Ring   bool // drawn as a ring, so that other dots can lie in it: the reference for the other series
	Values []float64
	// Low and High are the ends of a bar for every row; nil: no bars. A bar without both ends is
	// not drawn. A bar that begins at zero goes to the edge of a logarithmic axis.
	Low, High []float64
}

func (d Dots) check(*Page) error {
	if err := d.validate(); err != nil {
		return fmt.Errorf("dot plot %q: %w", d.Title, err)
	}
	return nil
}

func (d Dots) validate() error {
	switch {
	case len(d.Rows) == 0:
		return errors.New("a plot without rows cannot be drawn")
	case d.X.Scale == Time:
		return errors.New("x axis: the values cannot be times")
	}
	if err := d.X.check(); err != nil {
		return fmt.Errorf("x axis: %w", err)
	}
	for _, s := range d.Series {
		if !s.Role.known() {
			return fmt.Errorf("series %q has the unknown role number %d: use a role that role.go defines", s.Name, s.Role)
		}
		if len(s.Values) != len(d.Rows) {
			return fmt.Errorf("series %q has %d values for %d rows: give one value for each row, NaN for a missing value", s.Name, len(s.Values), len(d.Rows))
		}
		if err := s.checkBars(len(d.Rows)); err != nil {
			return fmt.Errorf("series %q: %w", s.Name, err)
		}
	}
	return nil
}

func (s DotSeries) checkBars(rows int) error {
	if s.Low == nil && s.High == nil {
		return nil
	}
	if len(s.Low) != rows || len(s.High) != rows {
		return fmt.Errorf("there are %d lower ends and %d upper ends of bars for %d rows: give both ends for each row, NaN for missing ends", len(s.Low), len(s.High), rows)
	}
	for i, low := range s.Low {
		if low > s.High[i] {
			return fmt.Errorf("the bar of row %d goes from %g to %g: give the lower end first", i, low, s.High[i])
		}
	}
	return nil
}

func (d Dots) write(w io.Writer) error { return render(w, "dots", d.drawing()) }

// Radii, in pixels.
const (
	dotRadius  = "4"
	ringRadius = "6.5"
)

// A dotDrawing is the layout of a Dots. Places are percentages of the plot's width.
type dotDrawing struct {
	Title, XName string
	Ticks        []dotTick
	Rows         []dotRow
	Series       []entry // Kind: dot or ring
}

type dotTick struct{ X, Text string }

type dotRow struct {
	Name  string
	Ticks []dotTick
	Bars  []dotBar
	Dots  []dot
}

type dot struct {
	X, R, Class, Title string
	Ring               bool
}

type dotBar struct{ From, To, Class, Title string }

func (d Dots) drawing() dotDrawing {
	x := d.scale(0, 100)
	out := dotDrawing{Title: d.Title, XName: d.X.name()}
	for _, t := range x.ticks() {
		out.Ticks = append(out.Ticks, dotTick{percent(x.at(t)), strconv.FormatFloat(t, 'g', 6, 64)})
	}
	classes := d.classes()
	for i, name := range d.Rows {
		row := dotRow{Name: name, Ticks: out.Ticks}
		for j, s := range d.Series {
			if s.hasBar(i) {
				row.Bars = append(row.Bars, dotBar{percent(x.at(s.Low[i])), percent(x.at(s.High[i])), classes[j], d.title(i, s, d.X.say(s.Low[i])+" to "+d.X.say(s.High[i]))})
			}
			if v := s.Values[i]; finite(v) {
				row.Dots = append(row.Dots, dot{percent(x.at(v)), s.radius(), classes[j], d.title(i, s, d.X.say(v)), s.Ring})
			}
		}
		out.Rows = append(out.Rows, row)
	}
	for j, s := range d.Series {
		out.Series = append(out.Series, entry{Kind: s.kind(), Class: classes[j], Name: s.Name})
	}
	return out
}

// title returns the tooltip of a dot or a bar.
func (d Dots) title(row int, s DotSeries, what string) string {
	return fmt.Sprintf("%s, %s: %s", d.Rows[row], s.Name, what)
}

func (s DotSeries) hasBar(i int) bool { return s.Low != nil && finite(s.Low[i]) && finite(s.High[i]) }

// classes returns the CSS classes of the series. Series of one role get its colours in turn.
func (d Dots) classes() []string {
	var seen [len(roles)]int
	var out []string
	for _, s := range d.Series {
		out = append(out, s.Role.class(seen[s.Role]))
		seen[s.Role]++
	}
	return out
}

func (s DotSeries) kind() string {
	if s.Ring {
		return "ring"
	}
	return "dot"
}

func (s DotSeries) radius() string {
	if s.Ring {
		return ringRadius
	}
	return dotRadius
}

// A dotScale maps values to places on the drawing.
type dotScale struct {
	axis        Axis
	low, high   float64 // places of the ends
	left, width float64
}

// scale returns the scale between two places. Its range is the range of the axis, or of the values
// if the axis has no bounds. A linear axis always includes zero.
func (d Dots) scale(left, right float64) dotScale {
	s := dotScale{axis: d.X, left: left, width: right - left}
	s.low, s.high = math.Inf(1), math.Inf(-1)
	for _, series := range d.Series {
		for _, v := range slices.Concat(series.Values, series.Low, series.High) {
			if p := d.X.place(v); finite(p) {
				s.low, s.high = min(s.low, p), max(s.high, p)
			}
		}
	}
	switch {
	case d.X.bounded():
		s.low, s.high = d.X.place(d.X.Min), d.X.place(d.X.Max)
	case s.low > s.high:
		s.low, s.high = 0, 1
	case d.X.Scale == Linear:
		s.low, s.high = min(s.low, 0), max(s.high, 0)
	}
	if s.low == s.high {
		s.high = s.low + 1
	}
	return s
}

// at returns the place of a value. A value beyond the axis has the place of the edge.
func (s dotScale) at(v float64) float64 {
	p := min(max(s.axis.place(v), s.low), s.high)
	return s.left + s.width*(p-s.low)/(s.high-s.low)
}

// ticks returns round numbers along the axis.
func (s dotScale) ticks() []float64 {
	if s.axis.Scale == Log {
		return s.decades()
	}
	step := math.Pow(10, math.Floor(math.Log10(s.high-s.low)))
	for _, n := range []float64{10, 5, 2, 1} { // the largest step that gives at least five ticks
		if try := step / 10 * n; (s.high-s.low)/try >= 5 {
			step = try
			break
		}
	}
	var ticks []float64
	last := int(math.Floor(s.high/step + 1e-9))
	for i := int(math.Ceil(s.low/step - 1e-9)); i <= last; i++ {
		ticks = append(ticks, float64(i)*step)
	}
	return ticks
}

func (s dotScale) decades() []float64 {
	steps := []float64{1, 2, 5}
	if s.high-s.low > 3 { // more would not fit on a narrow screen
		steps = steps[:1]
	}
	var ticks []float64
	for e := math.Floor(s.low); e <= s.high; e++ {
		for _, n := range steps {
			t := n * math.Pow(10, e)
			if p := math.Log10(t); p >= s.low-1e-9 && p <= s.high+1e-9 {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}
