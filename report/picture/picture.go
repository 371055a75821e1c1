package picture

import (
	"math"
	"slices"
	"strings"
)

// A Style selects the characters of pictures.
type Style struct {
	Unicode bool // block characters; false: ASCII
}

// StyleFor returns the style for an output. Block characters need a terminal with a UTF-8 locale.
// A pipe, TERM=dumb, NO_COLOR and other locales get ASCII. The function env returns the value of an
// environment variable.
func StyleFor(terminal bool, env func(name string) string) Style {
	locale := env("LC_ALL")
	for _, name := range []string{"LC_CTYPE", "LANG"} {
		if locale == "" {
			locale = env(name)
		}
	}
	locale = strings.ToUpper(strings.ReplaceAll(locale, "-", ""))
	return Style{Unicode: terminal && strings.Contains(locale, "UTF8") && env("TERM") != "dumb" && env("NO_COLOR") == ""}
}

// Width is the number of columns of a bar. A line with the indent of a report, a bar and a legend
// has at most 80 columns.
const Width = 32

// glyphs holds the characters of a style.
type glyphs struct {
	axis, band, median, value, open, shut rune
	levels                                []rune // levels of a sparkline, the lowest first
	missing                               rune   // gap in a sparkline
	across, full, both                    rune   // median in a chart with a vertical axis; in histograms, a bar, and a bar over another bar
}

func (s Style) glyphs() glyphs {
	if s.Unicode {
		return glyphs{'·', '▒', '┃', '●', '├', '┤', []rune("▁▂▃▄▅▆▇█"), ' ', '─', '█', '▓'}
	}
	return glyphs{'.', '=', '|', 'o', '[', ']', []rune("_.-~=+*#"), ' ', '-', '#', '%'}
}

// Axis returns the character of an empty place on an axis.
func (s Style) Axis() rune { return s.glyphs().axis }

// Band returns the character for the band of peers.
func (s Style) Band() rune { return s.glyphs().band }

// Median returns the character for the median of peers.
func (s Style) Median() rune { return s.glyphs().median }

// Value returns the character for a value that is compared with peers.
func (s Style) Value() rune { return s.glyphs().value }

// Across returns the character for the median of peers in a chart whose axis is vertical.
func (s Style) Across() rune { return s.glyphs().across }

// Full returns the character of a histogram for a place that only the bar of the component covers.
func (s Style) Full() rune { return s.glyphs().full }

// Both returns the character of a histogram for a place that the bars of the component and of its
// peers cover.
func (s Style) Both() rune { return s.glyphs().both }

// Quantiles holds the bounds of the middle 90 % of some peers, and their median.
type Quantiles struct{ Low, Median, High float64 }

// QuantilesOf returns the quantiles at 5, 50 and 95 % of values that are above zero. It returns false
// if there are fewer than three such values.
func QuantilesOf(values []float64) (Quantiles, bool) {
	values = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !isPositive(v) })
	if len(values) < 3 {
		return Quantiles{}, false
	}
	slices.Sort(values)
	at := func(share float64) float64 { return values[int(math.Round(share*float64(len(values)-1)))] }
	return Quantiles{at(0.05), at(0.5), at(0.95)}, true
}

// isPositive reports whether a value can be drawn on a logarithmic scale.
func isPositive(v float64) bool { return v > 0 && !math.IsInf(v, 0) }

// Peers draws the band of the peers with their median, and marks anomalous values. The scale is
// logarithmic, from the smallest to the largest value of all:
//
//	==|==.....................o.....
//
// It returns an empty text if there is nothing to mark.
func Peers(s Style, peers Quantiles, odd []float64) string {
	odd = slices.DeleteFunc(slices.Clone(odd), func(v float64) bool { return !isPositive(v) })
	if len(odd) == 0 || !isPositive(peers.Low) || !isPositive(peers.High) {
		return ""
	}
	low, high := min(peers.Low, slices.Min(odd)), max(peers.High, slices.Max(odd))
	if low == high {
		return ""
	}
	return Bar(s, low, high, peers, odd, Width)
}

// Bar draws values beside the band of their peers, on a logarithmic axis from low to high. All
// numbers are above zero, and low is below high. Values outside of the axis are drawn at its end.
func Bar(s Style, low, high float64, peers Quantiles, values []float64, width int) string {
	column := func(v float64) int {
		share := math.Log(v/low) / math.Log(high/low)
		return min(max(int(math.Round(share*float64(width-1))), 0), width-1)
	}
	g := s.glyphs()
	bar := slices.Repeat([]rune{g.axis}, width)
	for i := column(peers.Low); i <= column(peers.High); i++ {
		bar[i] = g.band
	}
	bar[column(peers.Median)] = g.median
	for _, v := range values {
		bar[column(v)] = g.value
	}
	return string(bar)
}

// Ratio draws the ratio of a value to the value of its peers, with the bounds of the ratio. The
// peers are at the left end, and the scale is logarithmic:
//
//	|....................[..o..]
//
// It returns an empty text if the ratio is not above 1.
func Ratio(s Style, times, low, high float64) string {
	if !isPositive(times) || times <= 1 {
		return ""
	}
	low, high = max(low, 1), max(high, times)
	if !isPositive(high) {
		high = times
	}
	column := func(v float64) int { return int(math.Round(math.Log(v) / math.Log(high) * (Width - 1))) }
	g := s.glyphs()
	bar := slices.Repeat([]rune{g.axis}, Width)
	bar[0] = g.median
	if low > 1 {
		bar[column(low)] = g.open
		bar[column(high)] = g.shut
	}
	bar[column(times)] = g.value
	return string(bar)
}

// Spark draws a sparkline of ratios, with one column for each value. Ratios up to 1 have the lowest
// level, and the largest ratio has the highest. NaN is a gap. It returns an empty text if no value
// is above 1.
func Spark(s Style, values []float64) string {
	most := 1.0
	for _, v := range values {
		if isPositive(v) {
			most = max(most, v)
		}
	}
	if most == 1 {
		return ""
	}
	g := s.glyphs()
	var line strings.Builder
	for _, v := range values {
		if !isPositive(v) {
			line.WriteRune(g.missing)
			continue
		}
		level := int(math.Round(math.Log(max(v, 1)) / math.Log(most) * float64(len(g.levels)-1)))
		line.WriteRune(g.levels[level])
	}
	return line.String()
}
