package ranking

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/picture"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology/site"
)

// Options holds the reader's choices for the text.
type Options struct {
	All   bool          // print every component, also components that do not differ from their peers
	Style picture.Style // characters of bars
}

// A Result holds everything that is printed.
type Result struct {
	Ranking  *look.Ranking
	Maps     int // number of maps that were read
	Moves    []site.Move
	Warnings []string
}

const (
	columns     = 80
	nameWidth   = 20
	metricWidth = 9 // largest width of the name of a metric
	barWidth    = 23
	// mostWithin is the largest number of components that do not differ from their peers and are
	// printed without All.
	mostWithin = 3
	// mostTimes is the largest ratio that is printed. Among larger ratios, the exact number does
	// not matter.
	mostTimes = 1000
	// mostUnsure is the largest number of components with the mark Unsure that are printed without
	// All.
	mostUnsure = 8
	// mostOfHost is the largest number of components of a server that are printed without All.
	mostOfHost = 4
)

// Text prints a result for people.
func Text(w io.Writer, r *Result, o Options) error {
	p := printer{options: o, ranking: r.Ranking}
	compared := r.Ranking.Compared() > 0
	for i := range r.Ranking.Groups {
		g := &r.Ranking.Groups[i]
		if i > 0 {
			p.line("")
		}
		if compared && len(g.Bands) == 0 && g.Split == nil && !o.All { // nothing was compared in this group: one line is enough
			p.wrap("", sentence.LookTitle(g)+": "+sentence.LookFinding(g)+".")
			continue
		}
		p.group(g)
	}
	switch {
	case len(r.Moves) > 0:
		p.moves(r.Moves, len(r.Ranking.Groups) > 0)
	case len(r.Ranking.Groups) == 0:
		p.wrap("", sentence.LookOnlyMaps(r.Maps))
	}
	if len(r.Ranking.Groups) > 0 {
		p.line("")
		if r.Ranking.SinceStart > 0 {
			p.wrap("", sentence.LookSinceStart(r.Ranking.SinceStart))
		}
		if r.Ranking.Repeated > 0 {
			p.wrap("", sentence.LookRepeated(r.Ranking.Repeated))
		}
		p.wrap("", sentence.LookNext())
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

type printer struct {
	options Options
	ranking *look.Ranking
	prefix  string // beginning of all names of the current group
	text    strings.Builder
}

func (p *printer) line(text string) {
	p.text.WriteString(strings.TrimRight(text, " "))
	p.text.WriteByte('\n')
}

// wrap prints words in lines of at most 80 columns. The following lines have the indent of the
// first line.
func (p *printer) wrap(indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		if width(line)+1+width(word) > columns && strings.TrimSpace(line) != "" {
			p.line(line)
			line = strings.Repeat(" ", width(indent))
		}
		if strings.TrimSpace(line) != "" && line != indent {
			line += " "
		}
		line += word
	}
	p.line(line)
}

func width(text string) int { return utf8.RuneCountInString(text) }

// fit returns a name of exactly the given number of columns. A long name loses its middle, because
// its beginning has the server and its end the drive.
func fit(name string, columns int) string {
	runes := []rune(name)
	if len(runes) > columns {
		begin := (columns - 1) / 2
		return string(runes[:begin]) + "…" + string(runes[len(runes)-(columns-1-begin):])
	}
	return name + strings.Repeat(" ", columns-len(runes))
}

func (p *printer) group(g *look.Group) {
	host := oneHost(g)
	p.prefix = ""
	if host != "" {
		p.prefix = host + "/"
		host = " on " + host
	}
	p.wrap("", sentence.LookTitle(g)+host+p.period(g))
	p.wrap("", capital(sentence.LookFinding(g))+".")
	if g.Split != nil && sentence.LookSplit(g.Split) != sentence.LookFinding(g) {
		p.wrap("", capital(sentence.LookSplit(g.Split))+".")
	}
	if slices.ContainsFunc(g.Components, func(c look.Component) bool { return len(c.Measures) > 0 }) {
		p.line("")
		times, band := "× peers", "band: 5–95 % of peers"
		if g.Split != nil && !g.OwnServer {
			times, band = "× fast", "band: 5–95 % of fast"
			if slices.Contains(g.Limits, look.NoSpeed) {
				times, band = "× low", "band: 5–95 % of low"
			}
		}
		p.line(fmt.Sprintf("  %s %9s %8s  %-13s %s", fit(p.metrics(g), nameWidth), "", times, "90 % interval", band))
	}
	for i := range g.Hosts {
		p.host(g, &g.Hosts[i])
	}
	within, unsure := 0, 0
	for i := range g.Components {
		c := &g.Components[i]
		switch {
		case c.Mark == look.SlowWithHost && slices.ContainsFunc(g.Hosts, func(h look.Host) bool { return h.Name == c.Host }):
		case c.Mark == look.Idle, c.Mark == look.Alone, c.Mark == look.OtherKind:
			if p.options.All || len(c.Reasons) > 0 || c.Mark == look.Alone && len(g.Bands) == 0 {
				p.other(c)
			}
		case c.Mark == look.Within && within >= mostWithin && !p.options.All && len(c.Reasons) == 0:
			within++
		case c.Mark == look.Unsure && unsure >= mostUnsure && !p.options.All:
			unsure++
		default:
			switch c.Mark {
			case look.Within:
				within++
			case look.Unsure:
				unsure++
			}
			p.component(g, c)
		}
	}
	p.rest(g, within, unsure)
	for _, l := range g.Limits {
		p.wrap("- ", sentence.LookLimit(l, g))
	}
}

// period returns the times of a group's looks.
func (p *printer) period(g *look.Group) string {
	first, last := sentence.LookTime(p.ranking.First, p.ranking.Zoned), sentence.LookTime(p.ranking.Last, p.ranking.Zoned)
	switch {
	case first == "":
		return ""
	case g.Looks == 1 || first == last:
		return ", " + last
	}
	day := len("2006-01-02 ")
	if len(first) > day && len(last) > day && first[:day] == last[:day] { // the same day
		first, last = strings.TrimSuffix(first, " UTC"), last[day:]
	}
	return ", " + first + " to " + last
}

// rest prints the numbers of components that are not listed.
func (p *printer) rest(g *look.Group, within, unsure int) {
	idle, alone, others := 0, 0, 0
	for i := range g.Components {
		switch g.Components[i].Mark {
		case look.Idle:
			idle++
		case look.Alone:
			alone++
		case look.OtherKind:
			others++
		}
	}
	var parts []string
	if n := unsure - mostUnsure; n > 0 && !p.options.All {
		parts = append(parts, english.Count(n, "more component")+" "+sentence.LookMay(g)+" (?)")
	}
	if n := within - mostWithin; n > 0 && !p.options.All {
		const list = " (--all lists all components)"
		if g.Split == nil {
			parts = append(parts, english.Count(n, "more component")+" "+english.Verb(n, "that does not differ from its peers", "that do not differ from their peers")+list)
		} else { // half of the components differ from the others
			parts = append(parts, english.Count(n, "more component")+list)
		}
	}
	if others > 0 {
		parts = append(parts, english.Count(others, "component")+" of another kind")
	}
	if idle > 0 {
		parts = append(parts, english.Count(idle, "idle component")+" not compared")
	}
	if alone > 0 && alone < len(g.Components) {
		parts = append(parts, english.Count(alone, "component")+" without peers")
	}
	if parts != nil {
		p.wrap("  ", strings.Join(parts, ", "))
	}
}

func (p *printer) host(g *look.Group, h *look.Host) {
	p.wrap(sign(h.Mark)+" "+h.Name+": ", sentence.LookHost(h)+"; "+string(h.Certainty))
	listed, more := 0, 0
	for i := range g.Components {
		c := &g.Components[i]
		if c.Host != h.Name || c.Mark != look.SlowWithHost {
			continue
		}
		if listed == mostOfHost && !p.options.All {
			more++
			continue
		}
		listed++
		p.component(g, c)
	}
	if more > 0 {
		p.line(fmt.Sprintf("    and %d more of %s", more, h.Name))
	}
}

// sign returns the character at the beginning of a line.
func sign(m look.Mark) string {
	switch m {
	case look.Apart:
		return "!"
	case look.Explained:
		return "~"
	case look.Unsure:
		return "?"
	}
	return " "
}

func (p *printer) component(g *look.Group, c *look.Component) {
	if len(c.Measures) == 0 {
		p.other(c)
		return
	}
	for i := range c.Measures {
		m := &c.Measures[i]
		if i > 0 && m.Times < 1.5 { // only a metric that differs from the peers gets a line of its own
			continue
		}
		name, mark := strings.TrimPrefix(c.Name, p.prefix), sign(c.Mark)
		if i > 0 {
			name, mark = "", " "
		}
		p.measure(g, m, mark, name)
	}
	if c.Mark == look.Within && len(c.Reasons) == 0 {
		return
	}
	notes := []string{}
	if s := sentence.LookSure(c, sentence.LookTime(c.Since, p.ranking.Zoned)); s != "" && (c.Mark == look.Apart || c.Mark == look.Explained) {
		notes = append(notes, s)
	} else if c.Mark == look.Unsure && c.ApartLooks > 0 {
		notes = append(notes, "differs clearly "+sentence.LookSeen(c))
	}
	if m := &c.Measures[0]; len(notes) > 0 && m.SomeLooks {
		notes = append(notes, sentence.LookPeers(m))
	}
	for i := range c.Reasons {
		notes = append(notes, sentence.LookReason(&c.Reasons[i]))
	}
	if len(notes) > 0 {
		p.wrap("    ", strings.Join(notes, "; "))
	}
}

// measure prints the line of one metric of a component.
func (p *printer) measure(g *look.Group, m *look.Measurement, mark, name string) {
	at := slices.IndexFunc(g.Bands, func(b look.Band) bool { return b.Metric == m.Metric })
	bar := ""
	if at >= 0 {
		bar = Bar(p.options.Style, &g.Bands[at], cmp.Or(m.Value, m.Times*m.Peers), barWidth) // a value of 0 has no logarithm, so Times*Peers is drawn instead
	}
	times, interval := english.Digits(m.Times), english.Digits(m.Low)+"–"+english.Digits(m.High)
	switch {
	case m.Times > mostTimes:
		times, interval = fmt.Sprintf(">%d", mostTimes), ""
	case m.AtLeast:
		times = "≥" + times
	}
	label := fit(name, nameWidth)
	if len(g.Bands) > 1 { // show which metric it is
		width := 0
		for i := range g.Bands {
			width = max(width, utf8.RuneCountInString(shortName(g.Bands[i].Metric)))
		}
		width = min(width, metricWidth)
		label = fit(name, nameWidth-width-1) + " " + cutEnd(shortName(m.Metric), width)
	}
	p.line(fmt.Sprintf("%s %s %9s %8s  %s %s", mark, label, sentence.LookValue(m.Metric, m.Value), times, fit(interval, 13), bar))
}

// shortName returns the first word of the name of a metric.
func shortName(m look.Metric) string {
	short, _, _ := strings.Cut(m.Name, " ")
	return short
}

// cutEnd returns a text of exactly the given number of columns.
func cutEnd(text string, columns int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), columns)]) + strings.Repeat(" ", max(columns-len(runes), 0))
}

// metrics returns the heading of the values.
func (p *printer) metrics(g *look.Group) string {
	if len(g.Bands) == 1 {
		return g.Bands[0].Metric.Name
	}
	return ""
}

// oneHost returns the server of all components of a group; empty: there are several. Lines leave
// out a single server.
func oneHost(g *look.Group) string {
	host := g.Components[0].Host
	for i := range g.Components {
		if c := &g.Components[i]; c.Host != host || !strings.HasPrefix(c.Name, host+"/") {
			return ""
		}
	}
	return host
}

// other prints a component that was not compared.
func (p *printer) other(c *look.Component) {
	text := strings.TrimPrefix(c.Name, p.prefix) + ": "
	if c.Mark == look.Idle {
		text += "idle"
	} else {
		text += "not compared"
	}
	for _, r := range c.Readings {
		text += ", " + r.Metric.Name + " " + sentence.LookValue(r.Metric, r.Value)
	}
	for i := range c.Reasons {
		text += "; " + sentence.LookReason(&c.Reasons[i])
	}
	p.wrap("  ", text)
}

// moves prints the changes between maps.
func (p *printer) moves(moves []site.Move, after bool) {
	if after {
		p.line("")
	}
	p.line("What changed between the maps (such as ceph osd tree)")
	for i := range moves {
		p.wrap("  ", sentence.Moved(&moves[i]))
	}
}

func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
