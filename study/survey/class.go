package survey

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/study"
)

// A trait is a property by which drives are divided into classes.
type trait struct {
	name, title, source string
	of                  func(*study.Drive, study.Seat) string // class of a drive; empty: unknown
	lone                bool                                  // report also a single class
}

// traits returns the traits of T16 §4.3.2 and §4.3.3.
func traits() []trait {
	return []trait{
		{"age", "Year of the drive's life", "T16 Figure 8", func(_ *study.Drive, s study.Seat) string { return year(s.Year) }, true},
		{"flash", "Flash", "T16 Figure 9", func(d *study.Drive, _ study.Seat) string { return d.Flash }, false},
		{"vendor", "Vendor", "T16 Figure 9", func(d *study.Drive, _ study.Seat) string { return d.Vendor }, false},
		{"flash-vendor", "Flash and vendor", "T16 Figure 9", flashVendor, false},
		{"model", "Model", "T16 §4.3.3", func(d *study.Drive, _ study.Seat) string { return d.Model }, false},
		{"interface", "Interface", "T16 §4.3.3", func(d *study.Drive, _ study.Seat) string { return d.Interface }, false},
		{"model-rpm", "RPM", "T16 §4.3.3", func(d *study.Drive, _ study.Seat) string { return d.RPM }, false},
		{"model-capacity", "Capacity", "T16 §4.3.3", func(d *study.Drive, _ study.Seat) string { return d.Capacity }, false},
	}
}

// year writes a year of a drive's life with two characters, so that the alphabetical order is the
// order of years; empty: unknown.
func year(n int32) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%2d", n)
}

func flashVendor(d *study.Drive, _ study.Seat) string {
	if d.Flash == "" || d.Vendor == "" {
		return ""
	}
	return d.Flash + " of " + d.Vendor
}

// comparison asks whether drives of one class are slower than drives of another.
type comparison struct {
	*sheet
	trait
	binner *study.Binner
	all    map[string]*class
}

// A class holds the counts of the drives with the same value of a trait.
type class struct {
	drives, hours int // counts of drives and of drive hours
	slow          int // counts of slow hours, by threshold
	slowdowns     study.Histogram
}

func newComparison(s *sheet, t trait) *comparison {
	return &comparison{s, t, study.NewBinner(), map[string]*class{}}
}

func (c *comparison) Group(g *study.Group) {
	for i := range g.Members {
		m := &g.Members[i]
		d := &c.Fleet.Drives[m.Drive]
		var last *class
		for seat, slow := range m.BySeat() {
			s := c.class(c.of(d, seat))
			c.Sums.Add(s.drives, oneIf(s != last))
			c.Sums.Add(s.hours, seat.Hours)
			for _, h := range slow {
				c.slow(s, h.S)
			}
			last = s
		}
	}
}

func (c *comparison) class(name string) *class {
	s := c.all[name]
	if s == nil {
		s = &class{drives: c.Sums.Block(1), hours: c.Sums.Block(1), slow: c.Sums.Block(len(c.Thresholds))}
		c.all[name] = s
	}
	return s
}

func (c *comparison) slow(s *class, slowdown float64) {
	s.slowdowns[c.binner.Bin(slowdown)]++
	for i, t := range c.Thresholds {
		c.Sums.Add(s.slow+i, oneIf(slowdown >= t))
	}
}

func (c *comparison) Report() {
	if _, unknown := c.all[""]; len(c.all) < 2 && (unknown || !c.lone) {
		return
	}
	t := study.Table{Name: c.name, Title: c.title, Source: c.source, Columns: []string{c.title, "drives", "drive hours"}}
	for _, x := range c.Thresholds {
		t.Columns = append(t.Columns, "at least "+times(x))
	}
	t.Columns = append(t.Columns, "95th percentile of the slowdown", "99th percentile of the slowdown", "99.9th percentile of the slowdown")
	t.Note = fmt.Sprintf("The classes begin at a slowdown of %s. Slowdowns of %s or more are one class.", times(c.Kept()), outermost())
	chart := study.Chart{
		Name: c.name, Title: c.title, Source: c.source, Note: t.Note,
		X: study.Axis{Title: "slowdown", From: 1, To: 5}, Y: study.Axis{Title: "share of drive hours with a slowdown below this value", From: 0.95, To: 1},
	}
	for _, name := range keys(c.all) {
		s := c.all[name]
		t.Add(label(name), c.row(s)...)
		chart.Curves = append(chart.Curves, study.Curve{Name: label(name), Points: c.curve(s)})
	}
	c.Table(t)
	c.Chart(chart)
	c.figures()
}

func label(name string) string {
	if name == "" {
		return "not in the inventory"
	}
	return strings.TrimSpace(name)
}

func (c *comparison) row(s *class) []study.Value {
	out := []study.Value{c.Total(s.drives), c.Total(s.hours)}
	for i := range c.Thresholds {
		out = append(out, c.Ratio(s.slow+i, s.hours))
	}
	for _, p := range []float64{0.95, 0.99, 0.999} {
		out = append(out, c.quantile(s, p))
	}
	return out
}

// quantile returns the slowdown below which the share p of the class's hours lie; None if it is
// below Options.Kept.
func (c *comparison) quantile(s *class, p float64) study.Value {
	rest := int64((1-p)*float64(c.Sums.Total(s.hours)) + 0.5)
	for bin := study.Bins - 1; bin >= 0 && rest > 0; bin-- {
		if rest -= s.slowdowns[bin]; rest <= 0 {
			return study.Value{Number: study.BinLower(bin), Unit: study.Times}
		}
	}
	return study.Value{Unit: study.Times, None: true}
}

// curve returns the distribution of the slowdowns from Options.Kept on.
func (c *comparison) curve(s *class) []study.Point {
	hours := float64(c.Sums.Total(s.hours))
	points := cdf(&s.slowdowns, 0)
	all := float64(s.slowdowns.Total())
	for i := range points {
		points[i].Y = 1 - (1-points[i].Y)*all/hours
	}
	return points
}

// figures adds the figures that are also in the text of T16.
func (c *comparison) figures() {
	switch c.name {
	case "age":
		if s := c.all[year(8)]; s != nil {
			c.Figure(study.Figure{Name: "eighth-year-p95", Value: c.quantile(s, 0.95)}, "is the 95th percentile of the slowdown of %s in their eighth year")
		}
	case "flash":
		for _, name := range keys(c.all) {
			if name != "" {
				c.shares("flash-"+strings.ToLower(name), c.all[name], "of the drive hours of %s with "+name+" flash are slow")
			}
		}
	case "flash-vendor":
		if name, s := c.worst(); s != nil {
			c.shares("worst-vendor", s, "of the drive hours of %s of the worst vendor ("+name+") are slow")
		}
	}
}

// shares adds the shares of slow hours of a class, one for each threshold.
func (c *comparison) shares(name string, s *class, phrase string) {
	for i, t := range c.Thresholds {
		c.Share(name+"-"+short(t), s.slow+i, s.hours, phrase+" ("+times(t)+" or more)")
	}
}

// worst returns the known class with the largest share of slow hours at the lowest threshold; nil
// if there is none.
func (c *comparison) worst() (string, *class) {
	var name string
	var most float64
	for _, n := range keys(c.all) {
		s := c.all[n]
		share := float64(c.Sums.Total(s.slow)) / float64(max(1, c.Sums.Total(s.hours)))
		if n != "" && share > most {
			name, most = n, share
		}
	}
	return name, c.all[name]
}
