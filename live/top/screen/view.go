package screen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/live/top"
	"github.com/limpet-storage/limpet/topology"
)

// A grouping decides which lines form a group: all lines, the lines of a peer group, or the lines
// of a server.
type grouping uint8

// The groupings.
const (
	allTogether grouping = iota
	byPeers
	byServer
	groupings
)

var groupingNames = []string{"none", "peers", "server"}

// An order decides by which value the lines are sorted.
type order uint8

// The orders.
const (
	byOddness order = iota
	byLatency
	byLoad
	byName
	orders
)

var orderNames = []string{"differs", "latency", "load", "name"}

// A row is a line of the table: a component, or the head of a group.
type row struct {
	line  int    // index in frame.Lines; -1 if the row is the head of a group
	group string // name of the group, if the row is a head
}

// A view holds the settings that the user has chosen, and the rows that result from these settings.
type view struct {
	feed  Feed
	ascii bool
	frame *top.Frame
	end   int64 // Unix time of the frame; 0 means the newest frame

	grouping grouping
	order    order
	folded   map[string]bool
	frozen   bool

	rows   []row
	groups map[string]*top.Group // by the name in the head of the group
	chosen string                // name of the selected component or head; empty if the first row is selected
	first  int                   // index of the first row on the screen
	height int                   // number of rows on the screen
	top    int                   // line of the screen with the first row

	typing   bool // true if the user is typing a text to find
	find     string
	missed   string // text that was not found
	evidence string // component whose evidence is shown
	help     bool
}

func newView(feed Feed, ascii bool) *view {
	v := &view{feed: feed, ascii: ascii, folded: map[string]bool{}}
	v.load()
	return v
}

// refresh loads the newest frame, and reports whether the screen changes. A frozen view keeps its
// frame.
func (v *view) refresh() bool {
	if v.frozen {
		return false
	}
	v.load()
	return true
}

// load gets the frame of the chosen time from the feed, and makes the rows of the table.
func (v *view) load() {
	v.frame = v.feed.Frame(v.end)
	v.arrange()
}

// arrange sorts and groups the lines of the frame.
func (v *view) arrange() {
	lines := v.frame.Lines
	indexes := make([]int, len(lines))
	for i := range indexes {
		indexes[i] = i
	}
	var compare func(a, b *top.Line) int // nil for the order byOddness, because the frame already has this order
	switch v.order {
	case byLatency:
		compare = func(a, b *top.Line) int { return cmp.Compare(b.Latency, a.Latency) }
	case byLoad:
		compare = func(a, b *top.Line) int { return cmp.Compare(b.Load, a.Load) }
	case byName:
		compare = func(a, b *top.Line) int { return topology.Compare(a.Name, b.Name) }
	}
	if compare != nil {
		slices.SortStableFunc(indexes, func(a, b int) int { return compare(&lines[a], &lines[b]) })
	}
	v.rows, v.groups = v.rows[:0], map[string]*top.Group{}
	if v.grouping == allTogether {
		for _, i := range indexes {
			v.rows = append(v.rows, row{line: i})
		}
	} else {
		v.arrangeGroups(indexes)
	}
	v.follow()
}

// arrangeGroups puts lines below the heads of their groups. The groups are in the order of their
// first lines.
func (v *view) arrangeGroups(indexes []int) {
	var names []string
	members := map[string][]int{}
	for _, i := range indexes {
		l := &v.frame.Lines[i]
		name := v.frame.Groups[l.Group].Name
		if v.grouping == byServer {
			name = cmp.Or(l.Server, "(no server)")
		}
		if members[name] == nil {
			names = append(names, name)
			g := top.Group{Name: name}
			if v.grouping == byPeers {
				g = v.frame.Groups[l.Group]
				g.Components, g.Odd = 0, 0
			}
			v.groups[name] = &g
		}
		members[name] = append(members[name], i)
		v.groups[name].Components++
		if l.IsMarked() {
			v.groups[name].Odd++
		}
	}
	for _, name := range names {
		v.rows = append(v.rows, row{-1, name})
		if v.folded[name] {
			continue
		}
		for _, i := range members[name] {
			v.rows = append(v.rows, row{line: i})
		}
	}
}

func (v *view) name(r row) string {
	if r.line < 0 {
		return r.group
	}
	return v.frame.Lines[r.line].Name
}

func (v *view) selectedRow() int {
	if v.chosen == "" {
		return 0
	}
	return max(slices.IndexFunc(v.rows, func(r row) bool { return v.name(r) == v.chosen }), 0)
}

// follow scrolls so that the selected row is on the screen.
func (v *view) follow() {
	at := v.selectedRow()
	v.first = min(v.first, max(len(v.rows)-v.height, 0))
	if at < v.first {
		v.first = at
	}
	if v.height > 0 && at >= v.first+v.height {
		v.first = at - v.height + 1
	}
}

// move selects the row that is `by` rows below the selected row. If `by` is negative, it selects a
// row above.
func (v *view) move(by int) { v.choose(v.selectedRow() + by) }

// choose selects a row by its index. If the first row is selected, the selection stays on the first
// row, even if another component comes first in a later frame.
func (v *view) choose(at int) {
	at = max(min(at, len(v.rows)-1), 0)
	v.chosen = ""
	if at > 0 {
		v.chosen = v.name(v.rows[at])
	}
	v.follow()
}

// press handles a key, and reports whether the user quits.
func (v *view) press(k key) (quits bool) {
	v.missed = ""
	switch {
	case k.name == "ctrl-c":
		return true
	case v.typing:
		v.typeKey(k)
		return false
	case v.help:
		v.help = false
		return false
	}
	switch {
	case k.r == 'q' || k.name == "esc":
		if v.evidence == "" {
			return k.r == 'q'
		}
		v.evidence = ""
	case k.r == '?' || k.r == 'h':
		v.help = true
	case k.r == ' ':
		v.frozen = !v.frozen
		if !v.frozen {
			v.end = 0
			v.load()
		}
	case k.name == "left" || k.name == "far left" || k.name == "right" || k.name == "far right":
		v.showTime(k.name)
	case v.evidence != "":
		v.pressEvidence(k)
	default:
		v.pressTable(k)
	}
	return false
}

// The keys shift-left and shift-right move by farSteps steps.
const farSteps = 60

// showTime shows an earlier or later time. A view of the past is frozen.
func (v *view) showTime(name string) {
	by := map[string]int64{"left": -1, "right": 1, "far left": -farSteps, "far right": farSteps}[name] * max(v.frame.StepSeconds, 1)
	if v.frame.End == 0 {
		return
	}
	newest := v.feed.Frame(0).End
	end := v.frame.End + by
	if end >= newest {
		v.end, v.frozen = 0, v.frozen && v.end == 0
		if by > 0 {
			v.frozen = false
		}
	} else {
		v.end, v.frozen = end, true
	}
	v.load()
}

// pressEvidence handles a key in the view of one component.
func (v *view) pressEvidence(k key) {
	switch {
	case k.name == "enter" || k.name == "backspace":
		v.evidence = ""
	case k.name == "up" || k.r == 'k' || k.name == "wheel up":
		v.step(-1)
	case k.name == "down" || k.r == 'j' || k.name == "wheel down":
		v.step(1)
	}
}

// step shows the evidence of the next component above or below in the table.
func (v *view) step(by int) {
	for at := v.selectedRow() + by; at >= 0 && at < len(v.rows); at += by {
		if r := v.rows[at]; r.line >= 0 {
			v.choose(at)
			v.evidence = v.name(r)
			return
		}
	}
}

// pressTable handles a key in the table.
func (v *view) pressTable(k key) {
	page := max(v.height-1, 1)
	switch {
	case k.name == "up" || k.r == 'k':
		v.move(-1)
	case k.name == "down" || k.r == 'j':
		v.move(1)
	case k.name == "pgup":
		v.move(-page)
	case k.name == "pgdn":
		v.move(page)
	case k.name == "half up":
		v.move(-page / 2)
	case k.name == "half down":
		v.move(page / 2)
	case k.name == "home" || k.r == '<':
		v.choose(0)
	case k.name == "end" || k.r == 'G' || k.r == '>':
		v.choose(len(v.rows) - 1)
	case k.name == "wheel up":
		v.move(-3)
	case k.name == "wheel down":
		v.move(3)
	case k.name == "click":
		v.click(k)
	case k.name == "enter":
		v.enter()
	case k.r == 'g':
		v.grouping = (v.grouping + 1) % groupings
		v.arrange()
	case k.r == 's':
		v.order = (v.order + 1) % orders
		v.arrange()
	case k.r == 'z' || k.name == "tab" || k.r == '-' || k.r == '+':
		v.fold()
	case k.r == 'Z':
		v.foldAll()
	case k.r == '/':
		v.typing, v.find = true, ""
	case k.r == 'n':
		v.search(1)
	case k.r == 'N':
		v.search(-1)
	}
}

// click selects the row under the mouse pointer. If this row was selected before, click shows the
// evidence of its component, or folds its group.
func (v *view) click(k key) {
	at := v.first + k.y - v.top
	if k.y < v.top || at >= len(v.rows) || k.y >= v.top+v.height {
		return
	}
	if at == v.selectedRow() {
		v.enter()
		return
	}
	v.choose(at)
}

// enter shows the evidence of a component, or folds a group.
func (v *view) enter() {
	if len(v.rows) == 0 {
		return
	}
	r := v.rows[v.selectedRow()]
	if r.line < 0 {
		v.fold()
		return
	}
	v.evidence = v.name(r)
	v.chosen = v.evidence
}

// fold folds or unfolds the group of the selected row.
func (v *view) fold() {
	if v.grouping == allTogether || len(v.rows) == 0 {
		return
	}
	at := v.selectedRow()
	for at > 0 && v.rows[at].line >= 0 {
		at--
	}
	name := v.rows[at].group
	v.folded[name] = !v.folded[name]
	v.chosen = name
	v.arrange()
}

// foldAll folds all groups. If all groups are folded already, it unfolds all groups.
func (v *view) foldAll() {
	all := true
	for name := range v.groups {
		all = all && v.folded[name]
	}
	for name := range v.groups {
		v.folded[name] = !all
	}
	v.chosen = ""
	v.arrange()
}

// typeKey handles a key while the user types a text to find.
func (v *view) typeKey(k key) {
	switch {
	case k.name == "enter":
		v.typing = false
		v.search(0)
	case k.name == "esc":
		v.typing, v.find = false, ""
	case k.name == "backspace":
		if v.find == "" {
			v.typing = false
			return
		}
		runes := []rune(v.find)
		v.find = string(runes[:len(runes)-1])
	case k.r != 0:
		v.find += string(k.r)
	}
}

// search selects the next row whose name contains the text. If `by` is 1, the search begins with
// the row below the selected row and goes down. If `by` is -1, the search begins with the row above
// the selected row and goes up. If `by` is 0, the search begins with the selected row and goes
// down. search unfolds all groups.
func (v *view) search(by int) {
	if v.find == "" || len(v.rows) == 0 {
		return
	}
	clear(v.folded)
	v.arrange()
	n, want := len(v.rows), strings.ToLower(v.find)
	step := cmp.Or(by, 1)
	at := v.selectedRow()
	if by != 0 {
		at += by
	}
	for range n {
		at = (at + n) % n
		if strings.Contains(strings.ToLower(v.name(v.rows[at])), want) {
			v.choose(at)
			return
		}
		at += step
	}
	v.missed = v.find
}

func (v *view) draw(c *canvas) {
	title := style{kind: top.Heading}
	c.paint(0, func(s *style) { *s = title })
	c.put(0, 0, v.frame.Title(), title)
	state := v.state()
	c.put(c.width-len(state), 0, state, title)
	v.drawMessage(c, 1)
	switch {
	case v.help:
		v.drawHelp(c)
	case v.evidence != "":
		v.drawEvidence(c)
	default:
		v.drawTable(c)
	}
	v.drawKeys(c)
}

// state returns the text " FROZEN ", or " PAST " and the time of the frame. The text is empty if
// the view shows the newest frame.
func (v *view) state() string {
	switch {
	case v.end != 0:
		return " PAST " + time.Unix(v.frame.End, 0).In(v.frame.Zone).Format(time.TimeOnly) + " "
	case v.frozen:
		return " FROZEN "
	}
	return ""
}

// drawMessage draws the last message, or the reason why there is no data.
func (v *view) drawMessage(c *canvas, y int) {
	switch n := len(v.frame.Messages); {
	case v.missed != "":
		c.put(0, y, "no name of a component contains "+printable.Text(v.missed), style{kind: top.Unsure})
	case v.frame.Waiting != "":
		c.put(0, y, printable.Text(v.frame.Waiting), style{kind: top.Unsure})
	case n > 0:
		m := &v.frame.Messages[n-1]
		kind := top.Suspect
		if m.ID != "" {
			kind = top.Incident
		}
		c.put(0, y, printable.Text(m.Text), style{kind: kind})
	case len(v.frame.Warnings) > 0:
		c.put(0, y, printable.Text(v.frame.Warnings[0]), style{kind: top.Faint})
	}
}

func (v *view) drawTable(c *canvas) {
	layout := top.NewLayout(c.width, v.frame, v.ascii)
	c.put(0, 2, layout.Heading(), style{bold: true})
	v.top = 3
	v.height = max(c.height-v.top-1, 1)
	v.follow()
	at := v.selectedRow()
	for i := v.first; i < len(v.rows) && i < v.first+v.height; i++ {
		y := v.top + i - v.first
		r := v.rows[i]
		if r.line < 0 {
			g := v.groups[r.group]
			c.put(0, y, layout.GroupLine(r.group, g, v.folded[r.group]), style{bold: true})
		} else {
			l := &v.frame.Lines[r.line]
			x := 0
			for _, p := range layout.Line(l, &v.frame.Groups[l.Group]) {
				x = c.put(x, y, p.Text, style{kind: p.Kind})
			}
		}
		if i == at {
			c.paint(y, func(s *style) { s.reverse = true })
		}
	}
}

// drawKeys draws the last line: the meaning of keys, or the text that the user types.
func (v *view) drawKeys(c *canvas) {
	y := c.height - 1
	if v.typing {
		c.put(0, y, "find: "+v.find+"_", style{bold: true})
		return
	}
	text := fmt.Sprintf("q quit  ? help  / find  g group: %s  s sort: %s  space freeze  enter why", groupingNames[v.grouping], orderNames[v.order])
	if v.evidence != "" {
		text = "esc back  up, down: component  left, right: time  space: freeze  q: back"
	}
	if v.help {
		text = "press any key to go back"
	}
	c.put(0, y, text, style{kind: top.Faint})
}

// helpText explains keys and signs.
var helpText = []string{
	"up down j k PgUp PgDn Home End   move; Home: the component that differs most",
	"enter, click                     show details of a component; fold a group",
	"g                                group by peer group or server, or not at all",
	"z tab, Z                         fold one group, fold all groups",
	"s                                sort by difference, latency, load or name",
	"/ n N                            find a name; next match, previous match",
	"space                            freeze the screen, continue",
	"left right                       back or forward 1 time step (shift: 60 steps)",
	"ctrl-L, ctrl-Z, q                draw again, suspend, quit",
	"",
	"!  now differs clearly from its peers   ?  may differ: too few peers",
	"~  slower than its peers: more load     *  suspect",
	"#  incident; it has the same ID in the output of limpet diagnose",
	"",
	"HOW SURE, lowest first: seen once, seen again, persists, suspect, incident.",
	"A difference that was seen once may be chance. An incident is confirmed.",
	"The bar shows the middle 90 % of the peers, and their median.",
	"The dot shows the component. The axis is logarithmic.",
	"LATENCY and LOAD are means of the last 3 seconds (or of one longer time step).",
}

func (v *view) drawHelp(c *canvas) {
	for i, line := range helpText {
		c.put(1, 3+i, line, style{})
	}
}
