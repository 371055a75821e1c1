package screen

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/live/top"
	"github.com/limpet-storage/limpet/report/picture"
)

// labelWidth is the width of the labels of plots, in columns.
const labelWidth = 10

// drawEvidence draws the strip chart (latencies over time) of one component and its peers. Below
// the strip chart it draws the histograms of the component and of its peers, in the same plot.
func (v *view) drawEvidence(c *canvas) {
	g := picture.Style{Unicode: !v.ascii}
	e := v.feed.Evidence(v.evidence, v.end, max(c.width-labelWidth-1, 1))
	y := 2
	if !e.Known {
		c.put(0, y, "component "+printable.Text(v.evidence)+" no longer exists", style{kind: top.Unsure})
		return
	}
	layout := top.NewLayout(c.width, v.frame, v.ascii)
	c.put(0, y, layout.Heading(), style{bold: true})
	y++
	x := 0
	for _, p := range layout.Line(&e.Line, &e.Group) {
		x = c.put(x, y, p.Text, style{kind: p.Kind})
	}
	y++
	most := max((c.height-y-3)/4, 1)
	for i, s := range e.Sentences {
		if i == most {
			break
		}
		for _, line := range wrap(printable.Text(s), c.width-2) {
			c.put(1, y, line, style{kind: top.Suspect})
			y++
		}
	}
	room := c.height - y - 2
	chart := max(room/2, 4)
	v.drawStrip(c, e, y, chart, g)
	v.drawHistograms(c, e, y+chart+1, c.height-1, g)
}

// wrap divides a text into lines of at most `width` bytes. It breaks lines only between words. A word
// that is longer than a line gets a separate line.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// drawStrip draws the latencies over time, on a logarithmic axis.
func (v *view) drawStrip(c *canvas, e *top.Evidence, y, height int, g picture.Style) {
	low, high := math.Inf(1), 0.0
	for _, list := range [][]float64{e.Own, e.Low, e.High} {
		for _, x := range list {
			if x > 0 {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	if high == 0 {
		c.put(1, y, "no requests yet", style{kind: top.Faint})
		return
	}
	if high < 2*low {
		low, high = low/math.Sqrt2, high*math.Sqrt2
	}
	rows := height - 1
	line := func(ms float64) int {
		share := (math.Log(ms) - math.Log(low)) / (math.Log(high) - math.Log(low))
		return y + rows - 1 - int(math.Round(share*float64(rows-1)))
	}
	c.put(0, y, label(high), style{kind: top.Faint})
	c.put(0, y+rows-1, label(low), style{kind: top.Faint})
	from := c.width - len(e.Own)
	for i := range e.Own {
		x := from + i
		if e.Low[i] > 0 {
			for at := line(e.High[i]); at <= line(e.Low[i]); at++ {
				c.put(x, at, string(g.Band()), style{kind: top.InBand})
			}
			c.put(x, line(e.Median[i]), string(g.Across()), style{kind: top.InBand})
		}
		if e.Own[i] > 0 {
			kind := top.Dot
			if e.Own[i] > e.High[i] {
				kind = top.Marked
			}
			c.put(x, line(e.Own[i]), string(g.Value()), style{kind: kind})
		}
	}
	zone := v.frame.Zone
	if n := len(e.Ends); n > 0 {
		first, last := time.Unix(e.Ends[0], 0).In(zone).Format(time.TimeOnly), time.Unix(e.Ends[n-1], 0).In(zone).Format(time.TimeOnly)
		c.put(max(from, labelWidth), y+rows, first, style{kind: top.Faint})
		c.put(c.width-len(last), y+rows, last, style{kind: top.Faint})
		legend := fmt.Sprintf("%c component  %c 5-95 %% of peers  %c median of peers", g.Value(), g.Band(), g.Across())
		if n > len(first)+len(last)+len(legend) {
			c.put(from+(n-len(legend))/2, y+rows, legend, style{kind: top.Faint})
		}
	}
}

func label(ms float64) string {
	text := top.Milliseconds(ms)
	return strings.Repeat(" ", max(labelWidth-1-len([]rune(text)), 0)) + text
}

// drawHistograms draws the histograms of the component and of its peers in the same plot. If the screen
// is wide, it draws several plots side by side.
func (v *view) drawHistograms(c *canvas, e *top.Evidence, y, end int, g picture.Style) {
	const least = 40
	n := min(len(e.Histograms), max(c.width/least, 1))
	for i := range n {
		width := c.width / n
		drawHistogram(c, &e.Histograms[i], i*width, y, width-1, end-y, g)
	}
}

func drawHistogram(c *canvas, h *top.Histogram, x, y, width, height int, g picture.Style) {
	title := fmt.Sprintf("%s: %c component, %c peers, %c component and peers", h.Title, g.Full(), g.Band(), g.Both())
	c.put(x, y, string([]rune(title)[:min(len([]rune(title)), width)]), style{bold: true})
	most := 0.0
	for i := range h.Own {
		most = max(most, h.Own[i], h.Peers[i])
	}
	room := width - labelWidth - 1
	if most == 0 || room < 4 {
		return
	}
	// If the screen has too few lines for all classes, the slowest classes are drawn, because these
	// classes matter most.
	first := max(len(h.Own)-(height-1), 0)
	for i := first; i < len(h.Own); i++ {
		line := y + 1 + i - first
		c.put(x, line, label(max(h.Bounds[i], 1e-6)), style{kind: top.Faint})
		own, peers := int(math.Round(h.Own[i]/most*float64(room))), int(math.Round(h.Peers[i]/most*float64(room)))
		for k := range max(own, peers) {
			glyph, kind := g.Both(), top.InBand
			switch {
			case k >= peers:
				glyph, kind = g.Full(), top.Marked
			case k >= own:
				glyph, kind = g.Band(), top.InBand
			}
			c.put(x+labelWidth+k, line, string(glyph), style{kind: kind})
		}
	}
}
