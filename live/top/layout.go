package top

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/report/picture"
	"github.com/limpet-storage/limpet/report/ranking"
)

// A Layout has the columns that fit into the width of a terminal.
type Layout struct {
	Zone       *time.Location
	end        int64 // Unix time of the frame
	style      picture.Style
	name, bar  int
	histograms bool // true if there are columns for p50, p99 and the slowest request
	work       bool // true if there are columns for kB/s and for the busy time
	id         bool // true if there is a column for the incident's ID
}

// Widths of columns, each with the space after the column.
const (
	markWidth      = 2
	latencyWidth   = 9
	timesWidth     = 7
	loadWidth      = 8
	sinceWidth     = 9
	sureWidth      = 13
	histogramWidth = 3 * latencyWidth
	workWidth      = 10 + 6
	idWidth        = 9
	// fixed is the total width of the columns that every layout has.
	fixed   = markWidth + latencyWidth + 1 + timesWidth + loadWidth + sinceWidth + sureWidth
	nameMin = 14
	nameMax = 40
	barMin  = 12
	barMax  = 48
)

// NewLayout chooses the columns that fit into a width. If `ascii` is true, bars have ASCII
// characters only.
func NewLayout(width int, f *Frame, ascii bool) Layout {
	l := Layout{style: picture.Style{Unicode: !ascii}, Zone: f.Zone, end: f.End}
	longest := nameMin
	for i := range f.Lines {
		longest = max(longest, utf8.RuneCountInString(f.Lines[i].Name)+1)
	}
	left := width - fixed - nameMin - barMin - 1
	take := func(columns int) bool {
		if left >= columns {
			left -= columns
			return true
		}
		return false
	}
	l.histograms = f.Histograms && take(histogramWidth)
	l.id = take(idWidth)
	l.name = nameMin + min(max(left, 0), min(longest, nameMax)-nameMin)
	left -= l.name - nameMin
	l.work = left >= workWidth+barMin && take(workWidth)
	l.bar = min(barMax, barMin+max(left, 0))
	return l
}

// A Part is a piece of a line with one meaning. The meaning decides the colour of the piece.
type Part struct {
	Text string
	Kind Kind
}

// A Kind is the meaning of a part.
type Kind uint8

// The kinds of parts of a line. The colour of a part depends on its kind.
const (
	Plain    Kind = iota
	Faint         // a component that was not compared with its peers, for example because it is idle
	Marked        // a component that is clearly slower than its peers, or is on a server that is slow as a whole
	Unsure        // a component that may be slower than its peers, or is slower for a reason other than a fault
	Suspect       // a suspect of the engine
	Incident      // an incident
	InBand        // the range of most peers in a bar
	Dot           // the position of the component in a bar
	Heading
)

// Heading returns the line with the names of the columns.
func (l *Layout) Heading() string {
	text := strings.Repeat(" ", markWidth) + fit("COMPONENT", l.name) + padLeft("LATENCY", latencyWidth-1) + " "
	if l.histograms {
		text += padLeft("P50", latencyWidth-1) + " " + padLeft("P99", latencyWidth-1) + " " + padLeft("SLOWEST", latencyWidth-1) + " "
	}
	band := "5-95 % OF PEERS"
	if len(band) >= l.bar { // fit would cut the number
		band = "5-95% PEERS"
	}
	text += " " + fit(band, l.bar) + padLeft("TIMES", timesWidth-1) + " " + padLeft("LOAD", loadWidth-1) + " "
	if l.work {
		text += padLeft("kB/s", 9) + " " + padLeft("BUSY", 5) + " "
	}
	text += fit("SINCE", sinceWidth) + fit("HOW SURE", sureWidth)
	if l.id {
		text += "ID"
	}
	return text
}

// KindOf returns the kind of a line as a whole. It depends on the level and the mark of the
// component.
func KindOf(line *Line) Kind {
	switch {
	case line.Level == Confirmed:
		return Incident
	case line.Level == Suspected:
		return Suspect
	case line.IsMarked():
		return Marked
	case line.Mark == look.Unsure || line.Mark == look.Explained:
		return Unsure
	case line.Mark == look.Idle || line.Mark == look.Alone || line.Mark == look.OtherKind:
		return Faint
	}
	return Plain
}

// Sign returns the character that marks a line. Incidents, suspects, and the kinds Marked and Unsure
// have different signs. So a user without colours gets the same information.
func Sign(line *Line) string {
	switch KindOf(line) {
	case Incident:
		return "#"
	case Suspect:
		return "*"
	case Marked:
		return "!"
	case Unsure:
		if line.Mark == look.Explained {
			return "~"
		}
		return "?"
	}
	return " "
}

// Line returns the parts of a component's line.
func (l *Layout) Line(line *Line, g *Group) []Part {
	kind := KindOf(line)
	parts := []Part{{Sign(line) + " ", kind}, {fit(printable.Text(line.Name), l.name), kind}}
	add := func(text string, kind Kind) { parts = append(parts, Part{text, kind}) }
	latency := Milliseconds(float64(line.Latency))
	if line.Missing {
		latency = "missing"
	}
	add(padLeft(latency, latencyWidth-1)+" ", kind)
	if l.histograms {
		for _, v := range []Number{line.P50, line.P99, line.Slowest} {
			add(padLeft(Milliseconds(float64(v)), latencyWidth-1)+" ", Plain)
		}
	}
	add(" ", Plain)
	parts = append(parts, l.bars(line, g)...)
	times := ""
	if v := float64(line.Times); !math.IsNaN(v) {
		times = shortNumber(v) + "x"
	}
	add(padLeft(times, timesWidth-1)+" ", kind)
	add(padLeft(perSecond(float64(line.Load)), loadWidth-1)+" ", Plain)
	if l.work {
		add(padLeft(number(float64(line.Moved)), 9)+" ", Plain)
		busy := number(float64(line.Busy))
		if busy != "" {
			busy += "%"
		}
		add(padLeft(busy, 5)+" ", Plain)
	}
	since := ""
	if line.Since != 0 {
		since = sinceText(line.Since, l.end, l.Zone)
	}
	if line.Before {
		since = l.orEarlierSign() + time.Unix(line.Since, 0).In(l.Zone).Format("15:04")
	}
	add(fit(since, sinceWidth), kind)
	sure := line.Level.String()
	if sure == "" {
		sure = markText[line.Mark]
	}
	add(fit(sure, sureWidth), kind)
	if l.id {
		add(fit(line.ID, idWidth), kind)
	}
	return parts
}

// orEarlierSign returns the sign for "at this time or earlier". The sign is put before a time.
func (l *Layout) orEarlierSign() string {
	if l.style.Unicode {
		return "≤"
	}
	return "<="
}

// markText has the text that a line shows for its mark, if the level of the line is NotOdd.
var markText = map[look.Mark]string{look.Unsure: "unsure", look.Explained: "explained", look.Idle: "idle", look.Alone: "no peers", look.OtherKind: "other kind", look.Apart: seenOnce, look.SlowWithHost: "whole server"}

// bars returns the bar of a line. The bar shows the position of the component in the range of its
// peers.
func (l *Layout) bars(line *Line, g *Group) (parts []Part) {
	v := float64(line.Latency)
	if g.Band == nil || math.IsNaN(v) || !(v > 0) {
		return []Part{{strings.Repeat(" ", l.bar), Plain}}
	}
	b := look.Band{Metric: look.Latency, Median: g.Band.Median, Low: g.Band.Low, High: g.Band.High, Min: g.Band.Least, Max: g.Band.Most}
	kinds := map[rune]Kind{l.style.Axis(): Faint, l.style.Band(): InBand, l.style.Median(): InBand, l.style.Value(): Dot}
	if k := KindOf(line); k != Plain {
		kinds[l.style.Value()] = k
	}
	for _, r := range ranking.Bar(l.style, &b, v, l.bar-1) {
		kind := kinds[r]
		if n := len(parts); n > 0 && parts[n-1].Kind == kind {
			parts[n-1].Text += string(r)
			continue
		}
		parts = append(parts, Part{string(r), kind})
	}
	return append(parts, Part{" ", Plain})
}

// GroupLine returns the line at the head of a peer group: its name, the number of its components,
// and their usual latencies.
func (l *Layout) GroupLine(name string, g *Group, folded bool) string {
	text := "- "
	if folded {
		text = "+ "
	}
	text += printable.Text(name) + ": " + english.Count(g.Components, "component")
	if g.Odd > 0 {
		text += fmt.Sprintf(", %d %s from the peers", g.Odd, english.Verb(g.Odd, "differs", "differ"))
	}
	if g.Band != nil {
		text += fmt.Sprintf("; latency of the peers %s to %s, median %s", Milliseconds(g.Band.Low), Milliseconds(g.Band.High), Milliseconds(g.Band.Median))
	}
	return text
}

func clock(at int64, zone *time.Location) string {
	return time.Unix(at, 0).In(zone).Format(time.TimeOnly)
}

// sinceText formats the time of an onset. If the onset was at least half a day ago, the text is the
// date. Otherwise it is the time of day.
func sinceText(at, now int64, zone *time.Location) string {
	const halfDay = 12 * 3600
	if now-at >= halfDay {
		return time.Unix(at, 0).In(zone).Format("Jan _2")
	}
	return clock(at, zone)
}

// Milliseconds returns a latency as text of at most 8 columns.
func Milliseconds(ms float64) string {
	switch {
	case math.IsNaN(ms):
		return ""
	case ms < 0.9995:
		return shortNumber(ms*1e3) + " µs"
	case ms < 999.5:
		return shortNumber(ms) + " ms"
	}
	return shortNumber(ms/1e3) + " s"
}

// shortNumber formats a number. A number below 10 has two decimal places, and a number below 100
// has one. So every number has at least three digits.
func shortNumber(v float64) string {
	switch {
	case v < 9.995:
		return fmt.Sprintf("%.2f", v)
	case v < 99.95:
		return fmt.Sprintf("%.1f", v)
	case v < 99999.5:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.0e", v)
}

// number formats a number without decimal places. The text is empty if the number is unknown.
func number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return fmt.Sprintf("%.0f", v)
}

func perSecond(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case v >= 99_999.5:
		return fmt.Sprintf("%.0fk/s", v/1000)
	}
	return fmt.Sprintf("%.0f/s", v)
}

// fit cuts a text, or adds spaces, so that the text has the given number of columns. A text is cut at
// its beginning, because the names of drives of one server differ at the end. The sign < marks a cut,
// because ~ already has another meaning (Sign).
func fit(text string, columns int) string {
	n := utf8.RuneCountInString(text)
	if n >= columns {
		runes := []rune(text)
		return "<" + string(runes[n-columns+2:]) + " "
	}
	return text + strings.Repeat(" ", columns-n)
}

// padLeft adds spaces at the left of a text, so that the text has the given number of columns.
func padLeft(text string, columns int) string {
	return strings.Repeat(" ", max(columns-utf8.RuneCountInString(text), 0)) + text
}
