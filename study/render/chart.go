// This file makes charts of the findings: curves with the axes of T16's figures. Package
// report/page draws them.

package render

import (
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/study"
)

// chart converts a chart of the findings to a chart of a page.
func chart(c *study.Chart) page.Chart {
	out := page.Chart{Title: titled(c.Title, c.Source), X: page.Axis{Label: c.X.Title}, Y: page.Axis{Label: c.Y.Title, Min: c.Y.From, Max: c.Y.To}}
	if c.X.Log {
		out.X.Scale = page.Log
	}
	if c.Y.Log {
		out.Y.Scale = page.Log
	}
	out.At = positions(c)
	for _, curve := range c.Curves {
		s := page.Series{Name: curve.Name}
		for _, x := range out.At {
			s.Values = append(s.Values, height(curve.Points, x))
		}
		out.Series = append(out.Series, s)
	}
	return out
}

// joinedCharts joins charts with the same title, which show the same at several thresholds, into
// one chart.
func joinedCharts(charts []study.Chart) []study.Chart {
	var out []study.Chart
	for len(charts) > 0 {
		c := charts[0]
		other := func(o study.Chart) bool { return o.Title != c.Title }
		alike := slices.DeleteFunc(slices.Clone(charts), other)
		charts = slices.DeleteFunc(slices.Clone(charts), func(o study.Chart) bool { return !other(o) })
		c.Curves = allCurves(alike, func(o *study.Chart) []study.Curve { return o.Curves })
		if twice(c.Curves) {
			c.Curves = allCurves(alike, atThreshold)
		}
		out = append(out, c)
	}
	return out
}

func allCurves(charts []study.Chart, of func(*study.Chart) []study.Curve) []study.Curve {
	var all []study.Curve
	for i := range charts {
		all = append(all, of(&charts[i])...)
	}
	return all
}

// twice reports whether two curves have the same name.
func twice(curves []study.Curve) bool {
	seen := map[string]bool{}
	for _, c := range curves {
		if seen[c.Name] {
			return true
		}
		seen[c.Name] = true
	}
	return false
}

// atThreshold returns the curves of a chart, and adds the threshold in the chart's name to their
// names.
func atThreshold(c *study.Chart) []study.Curve {
	var out []study.Curve
	for _, curve := range c.Curves {
		curve.Name += " at " + c.Name[strings.LastIndexByte(c.Name, '-')+1:] + "×"
		out = append(out, curve)
	}
	return out
}

// positions returns the X values at which a curve has a point, within the range of the axis. It
// adds the ends of the axis if the curves go beyond them.
func positions(c *study.Chart) []float64 {
	var at []float64
	for _, curve := range c.Curves {
		for _, p := range curve.Points {
			at = append(at, p.X)
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	if c.X.From >= c.X.To {
		return at
	}
	within := slices.DeleteFunc(slices.Clone(at), func(x float64) bool { return x < c.X.From || x > c.X.To })
	if len(within) == 0 {
		return at
	}
	if at[0] <= c.X.From && within[0] > c.X.From && (c.X.From > 0 || !c.X.Log) {
		within = slices.Insert(within, 0, c.X.From)
	}
	if last := len(within) - 1; at[len(at)-1] > c.X.To && within[last] < c.X.To {
		within = append(within, c.X.To)
	}
	return within
}

// height returns the height of a curve at x: the Y of the first point at or after x. Before the
// first point it is NaN; after the last point it is the Y of the last point.
//
// The next point is right for a distribution: a point is the share of hours below the lower end
// of a bin, and empty bins have no points. So the share does not change before the next point.
func height(points []study.Point, x float64) float64 {
	i, _ := slices.BinarySearchFunc(points, x, func(p study.Point, x float64) int {
		switch {
		case p.X < x:
			return -1
		case p.X > x:
			return 1
		}
		return 0
	})
	switch {
	case len(points) == 0 || x < points[0].X:
		return math.NaN()
	case i == len(points):
		return points[i-1].Y
	}
	return points[i].Y
}
